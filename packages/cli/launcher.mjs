/**
 * What `weir.cjs` does before the program: print the version, or run the bundle out of V8's code cache.
 * Kept free of imports that cost start-up time.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as os from "node:os"
import * as path from "node:path"
import * as v8 from "node:v8"
import * as vm from "node:vm"

// WEIR_VERSION and WEIR_BUILD are put in by build.mjs.

const minimum = [20, 19]

const supported = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}

// The one WebAssembly module is undici's HTTP parser: optimizing it costs 30 MB and more time than a run has.
v8.setFlagsFromString("--liftoff-only")

const program = path.join(__dirname, WEIR_BUILD)

/** Two places for the cache: beside the program, else the user's own. */
const cacheDirectories = [
  path.join(program, "cache"),
  path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "weir", WEIR_BUILD)
]

/** Tells V8's version, flags and the processor's features apart: a cache is good for its own only. */
const cacheKey = v8.cachedDataVersionTag().toString(36)

const readCache = (name) => {
  for (const directory of cacheDirectories) {
    try {
      return fs.readFileSync(path.join(directory, `${name}-${cacheKey}`))
    } catch {
      // Not there: the next place, or none.
    }
  }
}

const writeCache = (name, data) => {
  for (const directory of cacheDirectories) {
    try {
      fs.mkdirSync(directory, { recursive: true })
      const file = path.join(directory, `${name}-${cacheKey}`)
      fs.writeFileSync(`${file}.${process.pid}`, data)
      fs.renameSync(`${file}.${process.pid}`, file)
      return
    } catch {
      // Not writable: the next place, or no cache. It only costs time.
    }
  }
}

const nodeRequire = createRequire(__filename)
const loaded = new Map()

/** Scripts without a cache, by name. */
const uncached = new Map()

/** At exit, so that the functions this run has used are in it. */
const writeCaches = () => {
  for (const [name, script] of uncached) writeCache(name, script.createCachedData())
}

/** `require` for the files of the bundle, through the code cache. */
const load = (name) => {
  const known = loaded.get(name)
  if (known) return known.exports
  const filename = path.join(program, name)
  const cachedData = readCache(name)
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, "utf8")}\n})`,
    { cachedData, filename }
  )
  const module = { exports: {} }
  loaded.set(name, module)
  script.runInThisContext()(
    module.exports,
    (id) => id.startsWith("./") ? load(id.slice(2)) : nodeRequire(id),
    module,
    filename,
    program
  )
  if (cachedData === undefined || script.cachedDataRejected) {
    if (uncached.size === 0) process.once("exit", writeCaches)
    uncached.set(name, script)
  }
  return module.exports
}

if (!supported()) {
  process.stderr.write(`weir needs Node.js ${minimum.join(".")} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else if (process.argv.length === 3 && process.argv[2] === "--version") {
  process.stdout.write(`${WEIR_VERSION}\n`)
} else {
  load("main.cjs")
}
