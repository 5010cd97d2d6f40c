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

/** Modules that stand in for packages, by name. */
const standIns = {
  /** An SDK's Headers and Response become the global ones: Node would load its own copy of undici for them. */
  "@anthropic-ai/sdk": `
    import "weir:globals"
    export { Anthropic } from "@anthropic-ai/sdk"`,
  "@google/genai/web": `
    import "weir:globals"
    export * from "@google/genai/web"`,
  "openai": `
    import "weir:globals"
    export * from "openai"`,
  /** The few parts of it that are used; the package itself loads all. */
  "undici": `
    import Agent from "undici/lib/dispatcher/agent.js"
    import { fetch } from "undici/lib/web/fetch/index.js"
    export default { Agent, fetch }`,
  /** Node's HTTP/2, which it wants at once, is slow to load and never used. */
  "undici/http2": `
    module.exports = (...args) => require("undici/lib/dispatcher/client-h2.js")(...args)`,
  /** In this order: Request needs what Response defines. */
  "weir:globals": `
    import { Response } from "undici/lib/web/fetch/response.js"
    import { Request } from "undici/lib/web/fetch/request.js"
    import { Headers } from "undici/lib/web/fetch/headers.js"
    import { FormData } from "undici/lib/web/fetch/formdata.js"
    Object.assign(globalThis, { FormData, Headers, Request, Response })`
}

/** Resolved where `undici` is a dependency. */
const transport = path.join(here, "..", "providers", "transport")

const standIn = {
  name: "stand-in",
  setup: (building) => {
    building.onResolve(
      { filter: /^(@anthropic-ai\/sdk|@google\/genai\/web|openai|undici|weir:globals)$/ },
      ({ namespace, path: name, resolveDir }) => {
        if (namespace === "stand-in" && name !== "weir:globals") return
        return {
          namespace: "stand-in",
          path: name,
          pluginData: /^(undici|weir:globals)$/.test(name) ? transport : resolveDir
        }
      }
    )
    building.onResolve(
      { filter: /^\.\/client-h2\.js$/ },
      () => ({ namespace: "stand-in", path: "undici/http2", pluginData: transport })
    )
    building.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path: name, pluginData }) => ({
      contents: standIns[name],
      resolveDir: pluginData
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
  plugins: [ripgrep, standIn],
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

const launcher = await esbuild.build({
  ...minified,
  absWorkingDir: here,
  bundle: true,
  define: { WEIR_BUILD: JSON.stringify(build), WEIR_VERSION: JSON.stringify(version) },
  entryPoints: ["launcher.mjs"],
  format: "cjs",
  write: false
})

await fs.mkdir(path.join(dist, build), { recursive: true })
await Promise.all([
  ...chunks.map(({ code, name }) => fs.writeFile(path.join(dist, build, name), code)),
  fs.copyFile(path.join(here, "..", "catalogue", "NOTICE"), path.join(dist, build, "NOTICE")),
  ...[...programs].map(([name, from]) => fs.cp(from, path.join(dist, build, name), { recursive: true }))
])

// The launcher appears last and at once: whoever sees it sees a complete build.
await fs.writeFile(path.join(dist, `weir.cjs.${process.pid}`), launcher.outputFiles[0].text)
await fs.rename(path.join(dist, `weir.cjs.${process.pid}`), path.join(dist, "weir.cjs"))

for (const name of await fs.readdir(dist)) {
  const file = path.join(dist, name)
  if (name === build || name === "weir.cjs") continue
  const { mtimeMs } = await fs.stat(file)
  if (Date.now() - mtimeMs > keepMillis) await fs.rm(file, { force: true, recursive: true })
}

/** A first run fills the code cache, so that the user's first does not have to. */
const warmUp = async () => {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "weir-build-"))
  const args = [path.join(dist, "weir.cjs"), "run", "--provider", "offline", "--no-session", "hi"]
  try {
    execFileSync(process.execPath, args, { cwd: home, env: { ...process.env, WEIR_HOME: home }, stdio: "ignore" })
  } catch {
    // It only costs time later.
  }
  await fs.rm(home, { force: true, recursive: true })
}
await warmUp()
