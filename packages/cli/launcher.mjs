/**
 * What `weir.cjs` does before the program: print the version, or run the bundle out of V8's code cache.
 * Kept free of imports that cost start-up time.
 */
import * as path from "node:path"
import * as v8 from "node:v8"
import { cachingCompiler, loader } from "./chunks.mjs"

// WEIR_VERSION and WEIR_BUILD are put in by build.mjs.

const minimum = [20, 19]

const supported = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1])
}

// As in a run out of the snapshot.
v8.setFlagsFromString("--liftoff-only")

if (!supported()) {
  process.stderr.write(`weir needs Node.js ${minimum.join(".")} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else if (process.argv.length === 3 && process.argv[2] === "--version") {
  process.stdout.write(`${WEIR_VERSION}\n`)
} else {
  loader(cachingCompiler(path.join(__dirname, WEIR_BUILD)), process.getBuiltinModule)("main.cjs").start()
}
