/**
 * Sessions at size, each against its floor in the same run, medians: opening a transcript of 50 MB against reading and
 * parsing the file, its peak memory, and listing 1,000 sessions, with the index, after one was used, and without the
 * index, against `node -e 0`.
 * Usage: node packages/bench/sessions.mjs
 */
import { spawn } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const weir = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), "weir-sessions-"))

const usage = { fresh: 1_000, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 }
const at = "2026-11-30T00:00:00.000Z"
const started = (id) => ({ _tag: "SessionStarted", version: 1, id, cwd, provider: "offline", model: "offline", at })
const turn = (id) => ({
  _tag: "TurnStarted",
  turnId: id,
  user: { _tag: "UserMessage", text: `Turn ${id}`, images: [] },
  at
})
const ended = { _tag: "TurnFinished", reason: "finished", usage }
const step = (size) => ({
  _tag: "StepCompleted",
  step: {
    _tag: "Step",
    parts: [{ _tag: "Text", text: "Reading." }, {
      _tag: "Exchange",
      call: { _tag: "ToolCall", id: "c", name: "read_file", arguments: "{\"path\":\"a\"}" },
      result: { text: "a line of text\n".repeat(size / 15), isError: false, images: [], facts: [] }
    }],
    usage
  }
})
const compaction = (id, covered) => ({
  _tag: "CompactionApplied",
  checkpoint: {
    id,
    kind: "turn-boundary",
    summary: "What was done.",
    ledger: { facts: [], instructions: [] },
    coverage: { turns: covered },
    unread: false
  },
  phase: "turn-boundary",
  reason: "turn-boundary-trigger",
  usage,
  millis: 1_000,
  strategy: "isolated",
  before: 100_000,
  after: 10_000,
  notes: []
})

const file = (home, id) => join(cwd, home, "sessions", `${id}.jsonl`)
const write = (home, id, batches) => {
  mkdirSync(join(cwd, home, "sessions"), { recursive: true })
  writeFileSync(file(home, id), batches.map((batch) => `${JSON.stringify(batch)}\n`).join(""))
}

const run = ([command, ...args], home) =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, WEIR_HOME: join(cwd, home) },
      stdio: ["ignore", "ignore", "inherit"]
    })
    let peak = 0
    const look = () => {
      try {
        peak = Math.max(
          peak,
          Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? 0)
        )
      } catch {
        // It has ended.
      }
    }
    const timer = setInterval(look, 5)
    child.on("close", (code) => {
      clearInterval(timer)
      if (code === 0) resolve({ millis: performance.now() - began, megabytes: peak / 1_024 })
      else reject(new Error(`exit ${code}: ${[command, ...args].join(" ")}`))
    })
  })

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** The same number of runs of each, in turns, so that what else this machine does meets all alike. */
const inTurns = async (times, runs) => {
  const all = runs.map(() => [])
  for (let count = 0; count < times; count++) {
    for (const [at, { args, before, home }] of runs.entries()) {
      before?.()
      all[at].push(await run(args, home))
    }
  }
  return all.map((results) => ({
    megabytes: Math.max(...results.map(({ megabytes }) => megabytes)),
    millis: median(results.map(({ millis }) => millis))
  }))
}

try {
  const large = [[started("20261130T000000-large0")]]
  let open = []
  for (let index = 0, bytes = 0; bytes < 50_000_000; index++) {
    const id = `t${index}`
    const batches = [[turn(id)], ...Array.from({ length: 10 }, () => [step(3_000)]), [ended]]
    large.push(...batches)
    bytes += 10 * 3_500
    open.push(id)
    if (open.length === 10) {
      large.push([compaction(`c${index}`, open)])
      open = []
    }
  }
  write("large", "20261130T000000-large0", large)
  write("small", "20261130T000000-small0", [[started("20261130T000000-small0")], ...large.slice(1, 2)])
  const path = file("large", "20261130T000000-large0")
  const parse = `for (const line of require("fs").readFileSync(${
    JSON.stringify(path)
  }, "utf8").split("\\n")) if (line) JSON.parse(line)`
  const context = [weir, "context", "2026"]
  const [floor, parsing, small, opening] = await inTurns(7, [
    { args: [process.execPath, "-e", "0"], home: "none" },
    { args: [process.execPath, "-e", parse], home: "none" },
    { args: context, home: "small" },
    { args: context, home: "large" }
  ])
  const size = statSync(path).size / 1_000_000
  const over = opening.millis - small.millis
  const least = parsing.millis - floor.millis
  console.log(
    `opening a transcript of ${size.toFixed(0)} MB: ${over.toFixed(0)} ms more than a small one, ` +
      `reading and JSON.parse alone ${least.toFixed(0)} ms: ${(over / least).toFixed(2)} times; ` +
      `peak memory ${opening.megabytes.toFixed(0)} MB, ${(opening.megabytes / size).toFixed(2)} times the file, ` +
      `of a small one ${small.megabytes.toFixed(0)} MB`
  )

  for (let index = 0; index < 1_000; index++) {
    const id = `20261130T000000-${String(index).padStart(6, "0")}`
    write("many", id, [[started(id)], [turn("t")], [step(300)], [ended]])
  }
  const list = [weir, "sessions", "list"]
  const index = join(cwd, "many", "sessions", "index.json")
  const used = file("many", "20261130T000000-000500")
  const [base, indexed, changed, rebuilt] = await inTurns(7, [
    { args: [process.execPath, "-e", "0"], home: "none" },
    { args: list, home: "many" },
    { args: list, before: () => appendFileSync(used, `${JSON.stringify([turn("t")])}\n`), home: "many" },
    { args: list, before: () => rmSync(index, { force: true }), home: "many" }
  ])
  console.log(
    `listing 1,000 sessions: ${(indexed.millis - base.millis).toFixed(0)} ms over node's floor, ` +
      `after one was used ${(changed.millis - base.millis).toFixed(0)} ms, ` +
      `without the index ${(rebuilt.millis - base.millis).toFixed(0)} ms`
  )
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
