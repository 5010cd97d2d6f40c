/**
 * The screen at work: the built command in a pseudo-terminal of 120 columns and 36 rows, against a model that streams
 * 2,000 chunks a second while somebody types. Its share of a core, the time from a key to the frame that shows it, the
 * same after a transcript of 20,000 lines, the first frame, idling, and memory over 1,000 steps. Each figure stands
 * beside its floor of the same moment: `weir run` for the stream, a program that only echoes for keys, `node -e 0` for
 * the first frame.
 * Usage: node packages/bench/screen.mjs [seconds of streaming | memory]
 */
import * as pty from "@lydell/node-pty"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const [what] = process.argv.slice(2)
const seconds = what === "memory" ? 0 : Number(what ?? 10)
const chunksPerSecond = 2_000
const keysPerSecond = 12
const transcriptLines = 20_000
const firstFrames = 11
/** New processes that stream: ten seconds hold fewer than a hundred keys, too few for a hundredth of them. */
const freshRuns = 3

const weir = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const cwd = mkdtempSync(join(tmpdir(), "weir-screen-"))
const env = { PATH: process.env.PATH, TERM: "xterm-256color", WEIR_HOME: join(cwd, ".home") }
writeFileSync(join(cwd, "note.txt"), "One line of a hundred that a tool reads.\n".repeat(100))

const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis))
const quantile = (values, at) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))]
const median = (values) => quantile(values, 0.5)
const round = (value) => Math.round(value * 10) / 10

/** The model, a process of its own: what the user says names what it does. */
const model = `
const { createServer } = require("node:http")
const words = ("The **context** of a turn is cut at a boundary, \`never\` inside a step; what is left\\n" +
  "fits the window. See the list:\\n\\n- one item of it\\n- another with \`code\`\\n\\n\`\`\`ts\\n" +
  "const budget = (window: number) => window - 1_024\\nexport const fits = budget(8_192) > 0\\n\`\`\`\\n\\n").split(/(?<=\\s)/)
const frame = (delta, finish_reason = null) => "data: " + JSON.stringify({ id: "x", object: "chat.completion.chunk",
  created: 0, model: "bench", choices: [{ index: 0, delta, finish_reason }] }) + "\\n\\n"
const end = (response, reason = "stop") => response.end(frame({}, reason) + "data: " + JSON.stringify({ id: "x",
  object: "chat.completion.chunk", created: 0, model: "bench", choices: [],
  usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 } }) + "\\n\\ndata: [DONE]\\n\\n")
createServer((request, response) => {
  if (request.method !== "POST") return response.writeHead(404).end()
  const body = []
  request.on("data", (part) => body.push(part)).on("end", () => {
    const { messages } = JSON.parse(Buffer.concat(body))
    const said = messages.filter(({ role }) => role === "user").at(-1).content
    const [, task, amount] = /(stream|lines|steps) (\\d+)/.exec(JSON.stringify(said)) ?? []
    response.writeHead(200, { "content-type": "text/event-stream" })
    if (task === "lines") {
      for (let line = 0; line < Number(amount); line += 10) {
        response.write(frame({ content: Array.from({ length: 10 }, (_, at) =>
          "Line " + (line + at) + " of the transcript, with some **words** in it.").join("\\n") + "\\n\\n" }))
      }
      return end(response)
    }
    if (task !== "stream") return response.write(frame({ content: "ok" })), end(response)
    const total = Number(amount)
    const began = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor((performance.now() - began) * ${chunksPerSecond} / 1000))
      let text = ""
      for (; sent < due; sent++) text += frame({ content: words[sent % words.length] })
      if (text !== "") response.write(text)
      if (sent === total) clearInterval(timer), end(response)
    }, 1)
  })
}).listen(0, "127.0.0.1", function() { console.log(this.address().port) })`

/** A program that shows what is typed and nothing else. */
const echo =
  `process.stdin.setRawMode(true); process.stdin.on("data", (data) => process.stdout.write(data)); console.log("ready")`

/** Seconds of processor time. */
const processorTime = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const megabytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024

const running = []
const inTerminal = ([command, ...args], more = {}) => {
  const child = pty.spawn(command, args, { cols: 120, cwd, env: { ...env, ...more }, rows: 36 })
  const self = { child, bytes: 0, recent: "", waiting: undefined, ended: false }
  child.onData((data) => {
    self.bytes += data.length
    self.recent = (self.recent + data).slice(-20_000)
    self.waiting?.()
  })
  child.onExit(() => {
    self.ended = true
    self.waiting?.()
  })
  running.push(() => self.ended || child.kill("SIGKILL"))
  return self
}

/** Milliseconds until what has been written since now matches; undefined when it does not come. */
const until = (self, pattern, patience = 60_000) =>
  new Promise((resolve) => {
    self.recent = ""
    const began = performance.now()
    const done = (value) => {
      clearTimeout(timer)
      self.waiting = undefined
      resolve(value)
    }
    const timer = setTimeout(() => done(undefined), patience)
    self.waiting = () => {
      if (pattern.test(self.recent)) done(performance.now() - began)
      else if (self.ended) done(undefined)
    }
  })

const expect = async (self, pattern, patience = 60_000) => {
  const millis = await until(self, pattern, patience)
  if (millis === undefined) throw new Error(`${pattern} never came: ${self.recent.slice(-2_000)}`)
  return millis
}

/** Types letters, and says for each how long the terminal took to show it. */
const typing = async (self, millis, isEcho = false) => {
  const found = []
  const began = performance.now()
  let draft = ""
  for (let at = 0; performance.now() - began < millis; at++) {
    if (at % 20 === 0) {
      self.child.write("\u0015")
      draft = ""
      await sleep(100)
    }
    draft += "zqxj"[at % 4]
    const shown = until(self, new RegExp(isEcho ? draft.at(-1) : draft), 2_000)
    self.child.write(draft.at(-1))
    found.push((await shown) ?? Infinity)
    await sleep(1_000 / keysPerSecond * (0.5 + Math.random()))
  }
  return found
}

const told = (values) => `${round(median(values))} / ${round(quantile(values, 0.99))} ms`

const streaming = async (title, self, bare) => {
  self.child.write(`stream ${seconds * chunksPerSecond}\r`)
  await expect(self, /Writing/)
  const { pid } = self.child
  const began = performance.now()
  const before = { bytes: self.bytes, time: processorTime(pid) }
  const [keys, floor] = await Promise.all([
    typing(self, (seconds - 1) * 1_000),
    typing(bare, (seconds - 1) * 1_000, true)
  ])
  const elapsed = (performance.now() - began) / 1_000
  const share = (processorTime(pid) - before.time) / elapsed
  console.log(
    `${title}: ${round(share * 100)} % of a core, key to frame median / p99 ${told(keys)} ` +
      `(an echo alone ${told(floor)}), ${round((self.bytes - before.bytes) / elapsed / 1_000)} KB/s, ` +
      `${Math.round(megabytes(pid))} MB`
  )
  await sleep(2_500)
  self.child.write("\u0015")
  return { keys, share }
}

/** The same stream without a screen. */
const headless = (options) =>
  new Promise((resolve, reject) => {
    const child = spawn(weir, [
      "run",
      "--no-session",
      ...options,
      `stream ${seconds * chunksPerSecond}`
    ], {
      cwd,
      env,
      stdio: ["ignore", "ignore", "inherit"]
    })
    const look = (at) =>
      setTimeout(() => {
        marks.push({ at: performance.now(), time: processorTime(child.pid) })
      }, at * 1_000)
    const marks = []
    look(1)
    look(seconds - 1)
    child.on("close", (code) => {
      if (code !== 0) return reject(new Error(`exit ${code}`))
      const [first, last] = marks
      resolve((last.time - first.time) / ((last.at - first.at) / 1_000))
    })
  })

/** Milliseconds until a program in a terminal has written this. */
const shown = async (args, pattern) => {
  const self = inTerminal(args)
  const millis = await expect(self, pattern)
  self.child.kill("SIGKILL")
  return millis
}

const firstFrame = async (options) => {
  const own = []
  const floor = []
  for (let at = 0; at <= firstFrames; at++) {
    const pair = [
      await shown([process.execPath, "-e", "console.log(0)"], /0/),
      await shown([weir, ...options], /bench · /)
    ]
    // The first fills the code cache.
    if (at === 0) continue
    floor.push(pair[0])
    own.push(pair[1])
  }
  console.log(
    `first frame: ${round(median(own))} ms, node -e "console.log(0)": ${round(median(floor))} ms, ` +
      `over it: ${round(median(own.map((value, at) => value - floor[at])))} ms`
  )
}

const at = (url) => ["--provider", "openai-compatible", "--base-url", url]

/** Loaded before the command: told to, it lets all garbage go, and writes down how much of the heap is left. */
const collector = `
const { setFlagsFromString } = require("node:v8")
const { runInNewContext } = require("node:vm")
setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc")
process.on("SIGUSR2", () => {
  for (let times = 0; times < 3; times++) collect()
  require("node:fs").writeFileSync(process.env.BENCH_HEAP, String(process.memoryUsage().heapUsed))
})`

/** Megabytes of the heap when all garbage is gone, and of the process a while after that. */
const settled = async (self, file) => {
  rmSync(file, { force: true })
  process.kill(self.child.pid, "SIGUSR2")
  while (!existsSync(file)) await sleep(20)
  await sleep(2_000)
  return { heap: Number(readFileSync(file, "utf8")) / 1_048_576, resident: megabytes(self.child.pid) }
}

/** Turns of so many steps, after each of which the program is left to settle. */
const turns = [100, 150, 250, 500]

const memory = async () => {
  const script = join(cwd, "script.json")
  const replies = turns.flatMap((steps) => [
    { calls: [{ tool: "read_file", args: { path: "note.txt" } }], repeat: steps - 1 },
    { text: `That were ${steps} steps.` }
  ])
  writeFileSync(script, JSON.stringify({ replies, window: 64_000 }))
  const server = spawn(weir, ["simulate", "--script", script], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  running.push(() => server.kill("SIGKILL"))
  const url = (await new Promise((resolve) => server.stdout.once("data", resolve))).toString().trim()
  const heap = join(cwd, "heap")
  const preload = join(cwd, "collector.cjs")
  writeFileSync(preload, collector)
  const self = inTerminal([weir, ...at(url), "--model", "simulated", "--context-window", "64000"], {
    BENCH_HEAP: heap,
    NODE_OPTIONS: `--require=${preload}`
  })
  await expect(self, /simulated · /)
  const told = [await settled(self, heap)]
  const began = performance.now()
  for (const steps of turns) {
    self.child.write("Go on.\r")
    await expect(self, new RegExp(`That were ${steps} steps`), 600_000)
    await sleep(500)
    told.push(await settled(self, heap))
  }
  const millis = performance.now() - began
  let steps = 0
  told.forEach(({ heap, resident }, turn) => {
    steps += turn === 0 ? 0 : turns[turn - 1]
    console.log(`after ${steps} steps: ${round(heap)} MB of live heap, ${Math.round(resident)} MB resident`)
  })
  console.log(`${steps} steps with their compactions took ${round(millis / 1_000)} s`)
  self.child.kill("SIGKILL")
  server.kill("SIGKILL")
}

const drawing = async () => {
  const server = spawn(process.execPath, ["-e", model], { stdio: ["ignore", "pipe", "inherit"] })
  running.push(() => server.kill("SIGKILL"))
  const port = (await new Promise((resolve) => server.stdout.once("data", resolve))).toString().trim()
  const options = [...at(`http://127.0.0.1:${port}/v1`), "--model", "bench", "--context-window", "4000000"]
  await firstFrame(options)
  console.log(`the stream without a screen: ${round(await headless(options) * 100)} % of a core`)
  const bare = inTerminal([process.execPath, "-e", echo])
  await expect(bare, /ready/)
  const fresh = []
  let self
  for (let run = 0; run < freshRuns; run++) {
    self?.child.kill("SIGKILL")
    self = inTerminal([weir, ...options])
    await expect(self, /bench · /)
    fresh.push(await streaming("fresh", self, bare))
  }
  const keys = fresh.flatMap((run) => run.keys)
  console.log(
    `all ${freshRuns} fresh: median ${round(median(fresh.map(({ share }) => share)) * 100)} % of a core, ` +
      `key to frame median / p99 of ${keys.length} keys ${told(keys)}`
  )
  const before = processorTime(self.child.pid)
  await sleep(5_000)
  console.log(`idle: ${round((processorTime(self.child.pid) - before) / 5 * 100)} % of a core`)
  self.child.write(`lines ${transcriptLines}\r`)
  await expect(self, /Line 19999/)
  await sleep(1_500)
  await streaming(`after ${transcriptLines} lines`, self, bare)
}

try {
  if (what !== "memory") await drawing()
  await memory()
} finally {
  for (const stop of running) stop()
  rmSync(cwd, { recursive: true, force: true })
}
