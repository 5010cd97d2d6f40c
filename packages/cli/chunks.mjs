/** The files of the bundle, as modules. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as v8 from "node:v8"
import * as vm from "node:vm"

// WEIR_BUILD is put in by build.mjs.

const wrapped = (source) => `(function (exports, require, module, __filename, __dirname) {${source}\n})`

/** `require` for the files of the bundle: `compile` makes a function of one, `builtIn` finds Node's own modules. */
export const loader = (compile, builtIn) => {
  const loaded = new Map()
  const load = (name) => {
    const known = loaded.get(name)
    if (known) return known.exports
    const { directory, filename, run } = compile(name)
    const module = { exports: {} }
    loaded.set(name, module)
    run(module.exports, (id) => id.startsWith("./") ? load(id.slice(2)) : builtIn(id), module, filename, directory)
    return module.exports
  }
  return load
}

/** Compiles the files in `directory`; `options` are of vm.Script. */
export const compiler = (directory, options = () => ({}), compiled = () => undefined) => (name) => {
  const filename = path.join(directory, name)
  const script = new vm.Script(wrapped(fs.readFileSync(filename, "utf8")), { ...options(name), filename })
  compiled(name, script)
  return { directory, filename, run: script.runInThisContext() }
}

/** Compiles them through V8's code cache, which is kept beside the program, else in the user's own place. */
export const cachingCompiler = (directory) => {
  const places = [
    path.join(directory, "cache"),
    path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "weir", WEIR_BUILD)
  ]
  // Tells V8's version, flags and the processor's features apart: a cache is good for its own only.
  const key = v8.cachedDataVersionTag().toString(36)

  const read = (name) => {
    for (const place of places) {
      try {
        return fs.readFileSync(path.join(place, `${name}-${key}`))
      } catch {
        // Not there: the next place, or none.
      }
    }
  }

  const write = (name, data) => {
    for (const place of places) {
      try {
        fs.mkdirSync(place, { recursive: true })
        const file = path.join(place, `${name}-${key}`)
        fs.writeFileSync(`${file}.${process.pid}`, data)
        fs.renameSync(`${file}.${process.pid}`, file)
        return
      } catch {
        // Not writable: the next place, or no cache. It only costs time.
      }
    }
  }

  /** Scripts without a cache, by name. They get one at exit, with the functions that this run has used. */
  const uncached = new Map()
  const writeAll = () => {
    for (const [name, script] of uncached) write(name, script.createCachedData())
  }

  return compiler(directory, (name) => ({ cachedData: read(name) }), (name, script) => {
    if (script.cachedDataRejected === false) return
    if (uncached.size === 0) process.once("exit", writeAll)
    uncached.set(name, script)
  })
}
