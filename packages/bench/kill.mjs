/**
 * Kills the built command with SIGKILL at random moments of a run of 40 steps with compactions. Whatever was told as
 * done must be in the transcript, what is there must be the beginning of an undisturbed run, and the session must go on.
 * Usage: node packages/bench/kill.mjs [moments = 200] [every = 1]: every n-th session goes on to its end.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const moments = Number(process.argv[2] ?? 200)
const every = Number(process.argv[3] ?? 1)
const steps = 40
const weir = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), "weir-kill-"))

for (let index = 0; index < steps; index++) {
  writeFileSync(join(cwd, `part${index}.txt`), `line of part ${index}, ${"abcdefgh ".repeat(8)}\n`.repeat(20))
}
const summary = `## Goal
Read all parts.

## Key Instructions
None beside the task.

## Discoveries
Every part read so far holds twenty lines.

## Accomplished
Done: the parts before this one. Remaining: the parts after it. Next: read on.

## Relevant Files
part0.txt and those after it.`

/** A model that reads one part after the other, from the first for every run, and summarizes when it has no tools. */
const serve = () =>
  new Promise((resolve) => {
    let calls = 0
    let left = 0
    const server = createServer((request, response) => {
      // A server nearby is also asked for its window.
      if (!request.url.endsWith("/chat/completions")) return response.writeHead(404).end()
      const chunks = []
      request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
        const body = Buffer.concat(chunks).toString()
        const isSummary = JSON.parse(body).tools === undefined
        const reads = !isSummary && calls < left
        const call = { name: "read_file", arguments: JSON.stringify({ path: `part${calls}.txt` }) }
        const delta = isSummary
          ? { content: summary }
          : reads
          ? {
            content: `Part ${calls}.`,
            tool_calls: [{ index: 0, id: `call_${calls}`, type: "function", function: call }]
          }
          : { content: left === 0 ? "Well again." : "All read." }
        if (reads) calls += 1
        const frame = (value) =>
          `data: ${
            JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "sim", ...value })
          }\n\n`
        const tokens = Math.ceil(body.length / 4)
        response.writeHead(200, { "content-type": "text/event-stream" }).end(
          frame({ choices: [{ index: 0, delta: { role: "assistant", ...delta }, finish_reason: null }] }) +
            frame({ choices: [{ index: 0, delta: {}, finish_reason: reads ? "tool_calls" : "stop" }] }) +
            frame({
              choices: [],
              usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 }
            }) + "data: [DONE]\n\n"
        )
      })
    })
    const begin = (count) => {
      calls = 0
      left = count
    }
    server.listen(
      0,
      "127.0.0.1",
      () => resolve({ begin, close: () => server.close(), url: `http://127.0.0.1:${server.address().port}/v1` })
    )
  })

const start = (args, home) =>
  spawn(weir, args, {
    cwd,
    env: { PATH: process.env.PATH, WEIR_HOME: join(cwd, home) },
    stdio: ["ignore", "pipe", "pipe"]
  })

/** Runs to the end, or until it is killed after some milliseconds. */
const run = (url, home, more, killAfter) =>
  new Promise((resolve) => {
    const options = [
      "--base-url",
      url,
      "--model",
      "sim",
      "--context-window",
      "9000",
      "--max-output-tokens",
      "1000",
      "--compaction-request",
      "isolated"
    ]
    const child = start(["run", ...options, "--output-format", "stream-json", ...more], home)
    let stdout = ""
    let stderr = ""
    const began = performance.now()
    let first
    child.stdout.on("data", (chunk) => {
      first ??= performance.now() - began
      stdout += chunk
    })
    child.stderr.on("data", (chunk) => (stderr += chunk))
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfter)
    child.on("close", (code) => {
      clearTimeout(timer)
      const events = stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line).type)
      resolve({ code, events, first, millis: performance.now() - began, stderr })
    })
  })

/** What the complete lines of the only session hold, without what differs from run to run. */
const recordsOf = (home) => {
  let names
  try {
    names = readdirSync(join(cwd, home, "sessions")).filter((name) => name.endsWith(".jsonl"))
  } catch {
    return []
  }
  if (names.length === 0) return []
  const text = readFileSync(join(cwd, home, "sessions", names[0]), "utf8")
  return text.split("\n").slice(0, -1).flatMap((line) => JSON.parse(line)).map((record) => {
    switch (record._tag) {
      case "StepCompleted":
        return `step ${record.step.parts.map(({ result, text }) => text ?? result.text).join("|")}`
      case "CompactionApplied":
        return `compaction ${record.checkpoint.summary}`
      default:
        return record._tag === "TurnFinished" ? `end ${record.reason}` : record._tag
    }
  })
}

const count = (all, of) => all.filter((one) => one.startsWith(of)).length

const failures = []
const model = await serve()
try {
  model.begin(steps)
  const whole = await run(model.url, "whole", ["Read all parts."])
  const expected = recordsOf("whole")
  const compactions = count(expected, "compaction")
  if (whole.code !== 0 || count(expected, "step") !== steps + 1 || compactions < 2) {
    throw new Error(
      `the undisturbed run: exit ${whole.code}, ${
        count(expected, "step")
      } steps, ${compactions} compactions, ${whole.stderr}`
    )
  }
  let lost = 0
  for (let moment = 0; moment < moments; moment++) {
    const home = `home${moment}`
    const killAfter = whole.first * 0.5 + Math.random() * (whole.millis - whole.first * 0.5)
    model.begin(steps)
    const killed = await run(model.url, home, ["Read all parts."], killAfter)
    const records = recordsOf(home)
    const say = (problem) => failures.push(`killed after ${killAfter.toFixed(1)} ms: ${problem}`)
    if (records.some((record, at) => record !== expected[at])) say("the transcript is not the beginning of the run")
    if (count(records, "step") < count(killed.events, "usage_reported")) say("a step that was told is lost")
    if (count(records, "compaction") < count(killed.events, "auto_compaction_applied")) say("a compaction is lost")
    if (count(records, "TurnStarted") < count(killed.events, "turn_started")) say("a turn is lost")
    if (records.length < expected.length) lost += 1
    if (moment % every === 0 && records.length > 0) {
      const before = records.length
      model.begin(0)
      const ended = await run(model.url, home, ["--continue", "Go on."])
      const after = recordsOf(home)
      const turn = after.slice(before).filter((record) => record !== "end interrupted")
      if (ended.code !== 0) say(`it does not go on: exit ${ended.code}, ${ended.stderr}`)
      else if (turn.at(-1) !== "end finished" || !turn.includes("step Well again.")) say("it does not end")
      else if (after.slice(0, before).some((record, at) => record !== records[at])) say("what was there has changed")
    }
    rmSync(join(cwd, home), { recursive: true, force: true })
  }
  console.log(
    `${moments} kills, ${lost} of them before the end, in a run of ${steps} steps and ${compactions} compactions: ` +
      `${failures.length} failures`
  )
  for (const failure of failures) console.log(failure)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  model.close()
  rmSync(cwd, { recursive: true, force: true })
}
