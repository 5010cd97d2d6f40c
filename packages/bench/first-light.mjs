/**
 * Whole-process figures of the built command, as medians of runs that alternate with `node -e 0`, the floor:
 * start, one answer, the first request's size, and the client's own time between two model requests.
 * Usage: node packages/bench/first-light.mjs [runs]
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const runs = Number(process.argv[2] ?? 10)
const weir = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), "weir-bench-"))
const env = { PATH: process.env.PATH, WEIR_HOME: join(cwd, ".home") }
writeFileSync(join(cwd, "note.txt"), "one short line\n")

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
const round = (value) => Math.round(value * 10) / 10

/** A model that makes `calls` tool calls and then answers; it notes when each request came and each reply ended. */
const provider = (calls, call) =>
  new Promise((resolve) => {
    const seen = []
    let delivered = 0
    const server = createServer((request, response) => {
      const arrived = performance.now()
      // A server nearby is also asked for its window.
      if (request.method !== "POST") return response.writeHead(404).end()
      const chunks = []
      request.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
        const body = Buffer.concat(chunks).toString()
        const more = delivered < calls
        const delta = more
          ? {
            role: "assistant",
            tool_calls: [{
              index: 0,
              id: `call_${delivered}`,
              type: "function",
              function: { name: call.name, arguments: JSON.stringify(call.arguments) }
            }]
          }
          : { role: "assistant", content: "Done." }
        const frame = (value) => `data: ${JSON.stringify(value)}\n\n`
        const base = { id: "x", object: "chat.completion.chunk", created: 0, model: "bench" }
        const tokens = Math.ceil(body.length / 4)
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.end(
          frame({ ...base, choices: [{ index: 0, delta, finish_reason: null }] }) +
            frame({ ...base, choices: [{ index: 0, delta: {}, finish_reason: more ? "tool_calls" : "stop" }] }) +
            frame({
              ...base,
              choices: [],
              usage: { prompt_tokens: tokens, completion_tokens: 10, total_tokens: tokens + 10 }
            }) + "data: [DONE]\n\n",
          () => seen.push({ arrived, ended: performance.now(), body })
        )
        delivered++
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}/v1`,
        seen,
        reset: () => {
          seen.length = 0
          delivered = 0
        },
        close: () => server.close()
      }))
  })

/** Wall time in milliseconds and peak memory in MB of one process. */
const run = ([command, ...args]) =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"] })
    let error = ""
    child.stderr.on("data", (chunk) => (error += chunk))
    child.on("close", (code) =>
      code === 0 ? resolve(performance.now() - started) : reject(new Error(`exit ${code}: ${error}`)))
  })

const peakMemory = ([command, ...args]) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: "ignore" })
    const read = () =>
      Number(/VmHWM:\s+(\d+)/.exec(spawnSync("cat", [`/proc/${child.pid}/status`]).stdout.toString())?.[1] ?? 0) / 1024
    let peak = 0
    const timer = setInterval(() => (peak = Math.max(peak, read())), 5)
    child.on("close", (code) => {
      clearInterval(timer)
      if (code === 0) resolve(peak)
      else reject(new Error(`exit ${code}`))
    })
  })

const options = (url) => ["--provider", "openai-compatible", "--base-url", url, "--model", "bench"]

const against = async (name, args, before = () => undefined) => {
  const floor = []
  const own = []
  before()
  await run(args)
  for (let at = 0; at < runs; at++) {
    floor.push(await run([process.execPath, "-e", "0"]))
    before()
    own.push(await run(args))
  }
  console.log(
    `${name}: ${round(median(own))} ms, node -e 0: ${round(median(floor))} ms, over it: ${
      round(median(own) - median(floor))
    } ms`
  )
}

const gaps = async (name, call) => {
  const server = await provider(100, call)
  const tenths = []
  const all = []
  for (let at = 0; at < Math.max(3, Math.floor(runs / 3)); at++) {
    server.reset()
    await run([weir, "run", ...options(server.url), "--permission-mode", "full", "Go."])
    const between = server.seen.slice(1).map((request, index) => request.arrived - server.seen[index].ended)
    all.push(median(between))
    tenths.push([median(between.slice(0, 10)), median(between.slice(-10))])
  }
  console.log(
    `client time per step, 100 calls of ${name}: median ${round(median(all))} ms, first ten ${
      round(median(tenths.map(([first]) => first)))
    } ms, last ten ${round(median(tenths.map(([, last]) => last)))} ms`
  )
  server.close()
}

try {
  const server = await provider(0)
  const hi = [weir, "run", ...options(server.url), "hi"]
  await against("weir --version", [weir, "--version"])
  await against("weir run hi", hi, server.reset)
  console.log(
    `first request: ${server.seen[0].body.length} bytes, about ${Math.ceil(server.seen[0].body.length / 4)} tokens`
  )
  const peaks = []
  for (let at = 0; at < runs; at++) peaks.push(await peakMemory(hi))
  console.log(`weir run hi: ${round(median(peaks))} MB peak memory`)
  server.close()
  await gaps("read_file", { name: "read_file", arguments: { path: "note.txt" } })
  await gaps("bash", { name: "bash", arguments: { command: "echo one short line" } })
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
