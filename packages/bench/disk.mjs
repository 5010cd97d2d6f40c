/**
 * Sessions of the built command on a real small disk, a tmpfs: full in the middle of a run, then with room again, then
 * read-only. Nothing that was acknowledged may be lost, and every error must say what to do. Needs the right to mount.
 * Usage: node packages/bench/disk.mjs [first = 40] [last = 52]: the sizes of the disk, in KiB, in steps of 4
 */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const [first, last] = [Number(process.argv[2] ?? 40), Number(process.argv[3] ?? 52)]
const weir = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), "weir-disk-"))
const home = join(cwd, "home")
const sessions = join(home, "sessions")
mkdirSync(home)

const mount = (...args) => execFileSync("mount", args)
const room = (options) => mount("-o", `remount,${options}`, home)

const run = (...args) => {
  const { status, stderr, stdout } = spawnSync(weir, args, {
    cwd,
    encoding: "utf8",
    env: { HOME: cwd, PATH: process.env.PATH, WEIR_HOME: home }
  })
  return { code: status, stderr, stdout }
}

const failures = []
const check = (name, holds, told) => {
  if (!holds) failures.push(`${name}: ${JSON.stringify(told)}`)
}

const lines = (id) => readFileSync(join(sessions, `${id}.jsonl`), "utf8")
const turnOf = (id, text) => run("run", "--provider", "offline", "--session", id, text)

/** Says it on and on until the disk is full, then once more with room. */
const fill = (size) => {
  mount("-t", "tmpfs", "-o", `size=${size}k`, "tmpfs", home)
  try {
    check(`${size} KiB: the first turn`, run("run", "--provider", "offline", "hello").code === 0)
    const id = readdirSync(sessions).find((name) => name.endsWith(".jsonl")).slice(0, -".jsonl".length)
    let told = 0
    let before = lines(id)
    let turn = turnOf(id, `${"x".repeat(3_000)} 0`)
    while (turn.code === 0 && told < 100) {
      told += 1
      before = lines(id)
      turn = turnOf(id, `${"x".repeat(3_000)} ${told}`)
    }
    check(`${size} KiB: full`, turn.code === 1 && /free disk space.*ENOSPC/s.test(turn.stderr), turn)
    check(`${size} KiB: nothing lost`, lines(id).startsWith(before), { after: lines(id).length, before: before.length })
    room("size=10m")
    const again = turnOf(id, "hello")
    check(`${size} KiB: with room again`, again.code === 0 && again.stderr === "", again)
    check(`${size} KiB: all kept`, lines(id).startsWith(before))
    return id
  } catch (error) {
    check(`${size} KiB`, false, String(error))
  }
}

const readOnly = (id) => {
  const before = lines(id)
  room("ro")
  const turn = turnOf(id, "hello")
  check("read-only: a turn", turn.code === 1 && /permissions.*EROFS/s.test(turn.stderr), turn)
  const fresh = run("run", "--provider", "offline", "hello")
  check("read-only: a new session", fresh.code === 1 && /EROFS/.test(fresh.stderr), fresh)
  for (const args of [["sessions", "list"], ["sessions", "replay", id], ["sessions", "export", id]]) {
    const read = run(...args)
    check(`read-only: ${args.join(" ")}`, read.code === 0 && read.stderr === "" && read.stdout !== "", read)
  }
  check("read-only: not a byte is changed", lines(id) === before)
  room("rw")
}

try {
  let runs = 0
  for (let size = first; size <= last; size += 4) {
    const id = fill(size)
    runs += 1
    if (id !== undefined && size + 4 > last) readOnly(id)
    execFileSync("umount", [home])
  }
  for (const failure of failures) console.log(failure)
  console.log(`a disk of ${first} to ${last} KiB, full ${runs} times, then read-only: ${failures.length} failures`)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  spawnSync("umount", [home], { stdio: "ignore" })
  rmSync(cwd, { recursive: true, force: true })
}
