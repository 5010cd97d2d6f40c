/** Makes the V8 snapshot of a build, which `weir.sh` starts the command out of. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"

/**
 * The one WebAssembly module is undici's HTTP parser: optimizing it costs 30 MB and more time than a run has. The young
 * heap has this size at once, in MB: growing to it would cost a start 50 ms. V8 optimizes a function after four times
 * the usual work in it: much of what it did earlier ran no more often than its optimizing took.
 */
export const flags = ["--liftoff-only", "--min-semi-space-size=16", "--interrupt-budget=300000"]

/** The Node that the launcher finds, as it will compare it, without the count of its links: a shim may start any other. */
const nodeFound = async () => {
  const [listed, found, started] = execFileSync("sh", [
    "-c",
    "LC_ALL=C ls -Lin \"$(command -v node)\"; command -v node; node -p process.execPath"
  ], { encoding: "utf8" }).split("\n")
  if (await fs.realpath(found) !== await fs.realpath(started)) throw new Error(`${found} is not ${started}`)
  const [, inode, mode, rest] = /^\s*(\S+)\s+(\S+)\s+\S+\s+(.*)$/.exec(listed)
  return `${inode} ${mode} ${rest}\n`
}

/** For each of the two steps, in milliseconds; they take less than a second. */
const patience = 60_000

/** With other flags than its own a snapshot would be refused by every start. */
const node = (args, options = {}) =>
  execFileSync("node", ["--no-warnings", ...flags, ...args], {
    ...options,
    env: { ...process.env, ...options.env, NODE_OPTIONS: "" },
    stdio: "ignore",
    timeout: patience
  })

/** Leaves `trained` beside the chunks: what V8 compiles for a run. */
const train = async (home) => {
  const cwd = await fs.mkdtemp(path.join(os.tmpdir(), "weir-build-"))
  // What another Node has compiled would be refused.
  await fs.rm(path.join(home, "trained"), { force: true, recursive: true })
  await fs.mkdir(path.join(home, "trained"))
  try {
    node([path.join(home, "train.cjs")], { cwd, env: { HOME: cwd, WEIR_HOME: cwd } })
  } catch (error) {
    // The snapshot then holds all functions compiled.
    console.error(`weir: the snapshot is larger than need be (${error.message})`)
  }
  await fs.rm(cwd, { force: true, recursive: true })
}

/** Node's own line is written last: without it the launcher does not use the snapshot. */
export const makeSnapshot = async ({ home, place, placeText, program }) => {
  await fs.rm(path.join(home, "snapshot.node"), { force: true })
  await placeText(path.join(home, "train.cjs"), await program("train.mjs"))
  await train(home)
  await placeText(path.join(home, "snapshot.cjs"), await program("snapshot.mjs"))
  await place(
    path.join(home, "snapshot.blob"),
    (draft) => node(["--snapshot-blob", draft, "--build-snapshot", path.join(home, "snapshot.cjs")])
  )
  await placeText(path.join(home, "snapshot.node"), await nodeFound())
}
