/**
 * Run by the build with `node --build-snapshot`: loads what most runs use, with the functions compiled that the
 * training has used (all, of a chunk that it has not loaded), and leaves the heap to a V8 snapshot. A start out of it
 * evaluates and compiles none of that again.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import * as v8 from "node:v8"
import { cachingCompiler, compiler, loader } from "./chunks.mjs"

// WEIR_BUILD and WEIR_SNAPSHOT, the names of the chunks it holds, are put in by build.mjs.

/** Compiles what is not part of the snapshot, in the process that runs. */
let running

/** Node's modules that cannot be part of a snapshot: found when they are first used. */
const later = new Set(["node:http", "node:http2", "node:https", "node:tls"])

const found = (id) =>
  Object.create(
    new Proxy({}, {
      get: (_, name) => {
        if (running === undefined) throw new Error(`${id}'s ${String(name)} is used while the snapshot is made`)
        return process.getBuiltinModule(id)[name]
      }
    })
  )

const builtIn = (id) => running === undefined && later.has(id) ? found(id) : process.getBuiltinModule(id)

/** What V8 has compiled of a chunk in the training, if that has loaded it. */
const trained = (name) => {
  const file = path.join(__dirname, "trained", name)
  return fs.existsSync(file) ? fs.readFileSync(file) : undefined
}

const eagerly = compiler(__dirname, (name) => {
  const cachedData = trained(name)
  v8.setFlagsFromString(cachedData ? "--lazy" : "--no-lazy")
  return { cachedData }
}, (name, script) => {
  if (script.cachedDataRejected) throw new Error(`${name} is compiled for another V8`)
})
const load = loader((name) => (running ?? eagerly)(name), builtIn)

/** Fails when a module keeps what is another in each process. */
const guarded = (work) => {
  const names = ["argv", "cwd", "stdin", "stdout"]
  const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)])
  for (const name of names) {
    Object.defineProperty(process, name, {
      configurable: true,
      get: () => {
        throw new Error(`process.${name} is read while the snapshot is made`)
      }
    })
  }
  work()
  for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor)
}

guarded(() => {
  for (const name of WEIR_SNAPSHOT) load(name)
})
v8.setFlagsFromString("--lazy")

/** What the launcher has set for this process alone. */
const tunables = /^glibc\.malloc\.hugetlb=1:?/

v8.startupSnapshot.setDeserializeMainFunction(() => {
  const before = process.env.GLIBC_TUNABLES?.replace(tunables, "")
  if (before) process.env.GLIBC_TUNABLES = before
  else delete process.env.GLIBC_TUNABLES
  const [, launcher] = process.argv
  running = cachingCompiler(path.join(path.dirname(launcher), WEIR_BUILD))
  load("main.cjs").start()
})
