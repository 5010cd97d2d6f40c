/** Checks types and Effect diagnostics in one pass: this TypeScript compiler has the Effect language service built in. */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const compiler = () => {
  const binaries = `@effect/tsgo-${process.platform}-${process.arch}`
  const service = createRequire(import.meta.url).resolve("@effect/tsgo/package.json")
  try {
    return path.join(path.dirname(createRequire(service).resolve(`${binaries}/package.json`)), "lib", "tsc")
  } catch {
    throw new Error(
      `The compiler for this platform, ${binaries}, is not installed. Install with optional dependencies; ` +
        "where there is no such package, types cannot be checked."
    )
  }
}

/** The heap of one pass is little more than what it holds at the end: collecting it would cost a third of the time. */
const memory = { GOGC: "off", GOMEMLIMIT: "2GiB" }

const { error, status } = spawnSync(compiler(), ["--noEmit", "-p", "tsconfig.json", "--singleThreaded"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  env: { ...memory, ...process.env },
  stdio: "inherit"
})
if (error !== undefined) throw error
process.exitCode = status ?? 1
