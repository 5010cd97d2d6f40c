/**
 * Checks types and Effect diagnostics in one pass: a patched copy of the TypeScript compiler reports both. Checking
 * them apart resolves every type twice, and the language service then rebuilds its program for each file.
 * The copy is kept until TypeScript or the language service has another version.
 */
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const resolve = createRequire(import.meta.url).resolve
const packageOf = (name) => path.dirname(resolve(`${name}/package.json`))
const versionOf = (directory) => JSON.parse(fs.readFileSync(path.join(directory, "package.json"), "utf8")).version

const run = (file, args, options) => {
  const { error, status } = spawnSync(process.execPath, [file, ...args], { cwd: root, ...options })
  if (error !== undefined) throw error
  return status ?? 1
}

/** The path of the patched compiler; it is moved into place whole, so that an interrupted call leaves none behind. */
const compiler = () => {
  const typescript = packageOf("typescript")
  const service = packageOf("@effect/language-service")
  const cache = path.join(root, "node_modules", ".cache")
  const home = path.join(cache, `typescript-${versionOf(typescript)}-effect-${versionOf(service)}`)
  if (!fs.existsSync(home)) {
    const draft = fs.mkdtempSync(path.join(fs.mkdirSync(cache, { recursive: true }) ?? cache, "typescript-"))
    fs.cpSync(typescript, draft, { dereference: true, recursive: true })
    const args = ["patch", "--dir", draft, "--module", "tsc", "--log-level", "error"]
    if (run(path.join(service, "cli.js"), args, { stdio: ["ignore", "ignore", "inherit"] }) !== 0) {
      throw new Error("the Effect language service could not patch its copy of TypeScript (see above)")
    }
    fs.renameSync(draft, home)
  }
  return path.join(home, "lib", "tsc.js")
}

process.exitCode = run(compiler(), ["--noEmit", "-p", "tsconfig.json"], { stdio: "inherit" })
