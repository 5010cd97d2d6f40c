/**
 * Builds `dist/weir.cjs`, the launcher, and `dist/BUILD/`: the program `main.cjs` with a chunk for each part
 * that is imported on first use. esbuild splits ES modules only, so the bundle is made as ES modules first
 * and each chunk is then turned into CommonJS, which V8's code cache can hold.
 */
import * as esbuild from "esbuild"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { link } from "./link.mjs"
import { flags, makeSnapshot } from "./makeSnapshot.mjs"
import { late, standIn } from "./standIns.mjs"

/** Builds older than this are removed; younger ones may still be running and import a chunk. */
const keepMillis = 3_600_000

const here = path.dirname(fileURLToPath(import.meta.url))
const dist = path.join(here, "dist")
const { version } = JSON.parse(await fs.readFile(path.join(here, "package.json"), "utf8"))

const shared = { legalComments: "none", platform: "node", target: "node20" }
const minified = { ...shared, minify: true }

/** Directories of packages that are run as programs of their own: copied beside the chunks as they are. */
const programs = new Map()

/** `import("ripgrep")` gives the path of the copied program. */
const ripgrep = {
  name: "ripgrep",
  setup: (building) => {
    building.onResolve({ filter: /^ripgrep$/ }, async ({ kind, pluginData, resolveDir }) => {
      if (pluginData === "found") return
      const { path: file } = await building.resolve("ripgrep", { kind, pluginData: "found", resolveDir })
      programs.set("ripgrep", path.dirname(file))
      return { namespace: "program", path: "ripgrep" }
    })
    building.onLoad({ filter: /.*/, namespace: "program" }, () => ({
      contents: "export const rgPath = __dirname + \"/ripgrep/rg.mjs\""
    }))
  }
}

/** esbuild has printed what is wrong. */
const stop = () => process.exit(1)

const bundle = await esbuild.build({
  ...shared,
  absWorkingDir: here,
  bundle: true,
  chunkNames: "part-[hash]",
  define: { WEIR_VERSION: JSON.stringify(version) },
  entryPoints: { main: "src/bin.ts" },
  format: "esm",
  mainFields: ["module", "main"],
  metafile: true,
  outExtension: { ".js": ".cjs" },
  outdir: dist,
  plugins: [ripgrep, standIn, late],
  splitting: true,
  write: false
}).catch(stop)

/** A package that is CommonJS and imported on first use becomes a chunk with a default export only. */
const isCommonJs = (file) => {
  const { entryPoint } = bundle.metafile.outputs[path.relative(here, file)]
  return entryPoint !== undefined && bundle.metafile.inputs[entryPoint].format === "cjs"
}

/** Gives such a chunk its named exports, as Node does. */
const withNames = (code) => `${code}\nmodule.exports={...module.exports.default,...module.exports,__esModule:true};`

const commonJs = new Set(
  bundle.outputFiles.map((file) => file.path).filter(isCommonJs).map((file) => path.basename(file))
)
const linked = link(bundle.outputFiles.map(({ path: file, text }) => ({ name: path.basename(file), text })))
const chunks = await Promise.all(linked.map(async ({ name, text }) => {
  const { code } = await esbuild.transform(text, { ...minified, format: "cjs", supported: { "dynamic-import": false } })
  return { code: commonJs.has(name) ? withNames(code) : code, name }
}))

const hash = createHash("sha256")
for (const { code } of chunks) hash.update(code)
const build = hash.digest("hex").slice(0, 16)

/** What most runs use, by its source: it is part of the snapshot. */
const common = [
  "src/bin.ts",
  "src/RunTurn.ts",
  "src/StoredSessions.ts",
  "src/interactive/Interactive.ts",
  "../providers/openai/src/OpenAiChat.ts",
  "stand-in:openai",
  "stand-in:undici"
]

/** The chunk that was made of a module. */
const chunkOf = (entryPoint) => {
  const found = Object.entries(bundle.metafile.outputs).find(([, output]) => output.entryPoint === entryPoint)
  if (found === undefined) throw new Error(`${entryPoint} is no chunk`)
  return path.basename(found[0])
}

/** A program of its own beside the chunks, which loads them. */
const program = async (file) => {
  const { outputFiles: [output] } = await esbuild.build({
    ...minified,
    absWorkingDir: here,
    bundle: true,
    define: {
      WEIR_BUILD: JSON.stringify(build),
      WEIR_SNAPSHOT: JSON.stringify(common.map(chunkOf)),
      WEIR_VERSION: JSON.stringify(version)
    },
    entryPoints: [file],
    format: "cjs",
    write: false
  })
  return output.text
}

const home = path.join(dist, build)
await fs.mkdir(home, { recursive: true })
await Promise.all([
  ...chunks.map(({ code, name }) => fs.writeFile(path.join(home, name), code)),
  fs.copyFile(path.join(here, "..", "catalogue", "NOTICE"), path.join(home, "NOTICE")),
  ...[...programs].map(([name, from]) => fs.cp(from, path.join(home, name), { recursive: true }))
])

/** Puts a file into its place at once: whoever sees it sees all of it. */
const place = async (file, write) => {
  await write(`${file}.${process.pid}`)
  await fs.rename(`${file}.${process.pid}`, file)
}
const placeText = (file, text, mode) => place(file, (draft) => fs.writeFile(draft, text, { mode }))

try {
  await makeSnapshot({ home, place, placeText, program })
} catch (error) {
  console.error(`weir: without a snapshot it starts more slowly (${error.message})`)
}

await placeText(path.join(dist, "weir.cjs"), await program("launcher.mjs"))
const shell = await fs.readFile(path.join(here, "weir.sh"), "utf8")
await placeText(
  path.join(dist, "weir"),
  shell.replaceAll("WEIR_BUILD", build).replaceAll("WEIR_FLAGS", flags.join(" ")),
  0o755
)

for (const name of await fs.readdir(dist)) {
  const file = path.join(dist, name)
  if (name === build || name === "weir.cjs" || name === "weir") continue
  const { mtimeMs } = await fs.stat(file)
  if (Date.now() - mtimeMs > keepMillis) await fs.rm(file, { force: true, recursive: true })
}

/** A first run fills the code cache, so that the user's first does not have to. */
const warmUp = async (file) => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "weir-build-"))
  const args = ["run", "--provider", "offline", "--no-session", "hi"]
  try {
    execFileSync(file, args, { cwd: home, env: { ...process.env, WEIR_HOME: home }, stdio: "ignore" })
  } catch {
    // It only costs time later.
  }
  await fs.rm(home, { force: true, recursive: true })
}
await warmUp(path.join(dist, "weir"))
