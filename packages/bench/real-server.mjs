/**
 * Weir against a real llama.cpp server over three of its APIs: an answer, its genuine context error for a message that
 * never fits, and for a conversation that has grown too large, which a compaction has to cure.
 *
 *     LLAMA_SERVER="llama-server" node real-server.mjs MODEL.gguf
 *
 * LLAMA_SERVER is the command that starts the server, with words before it if it lives in a chroot. The model may be
 * the one that tiny-gguf.mjs writes. Ends with 1 if something did not hold.
 */
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const window = 16_384
const port = 18_080
const origin = `http://127.0.0.1:${port}`
const installed = fileURLToPath(new URL("../cli/dist/weir", import.meta.url))
const [model] = process.argv.slice(2)
if (!model) {
  console.error("Name the model: node real-server.mjs MODEL.gguf")
  process.exit(2)
}

const routes = [
  { name: "Chat Completions", options: ["--provider", "openai-compatible", "--base-url", `${origin}/v1`] },
  { name: "OpenAI Responses", options: ["--provider", "openai", "--base-url", `${origin}/v1`] },
  { name: "Anthropic Messages", options: ["--provider", "anthropic", "--base-url", origin] }
]

const weir = (cwd, args) =>
  new Promise((resolve) => {
    const child = spawn(
      installed,
      ["run", "--model", "tiny", "--output-format", "stream-json", ...args],
      {
        cwd,
        env: {
          PATH: process.env.PATH,
          ANTHROPIC_API_KEY: "none",
          OPENAI_API_KEY: "none",
          WEIR_HOME: join(cwd, ".home")
        },
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    const output = { stderr: "", stdout: "" }
    child.stdout.on("data", (chunk) => output.stdout += chunk)
    child.stderr.on("data", (chunk) => output.stderr += chunk)
    child.on("close", (code) => {
      const events = output.stdout.trim().split("\n").flatMap((line) => line.startsWith("{") ? [JSON.parse(line)] : [])
      resolve({
        code,
        events,
        stderr: output.stderr.trim(),
        times: (type) => events.filter((one) => one.type === type).length
      })
    })
  })

const learned = async (cwd) => {
  try {
    return (await readFile(join(cwd, ".home", "limits.json"), "utf8")).replace(/\s+/g, " ")
  } catch {
    return "nothing"
  }
}

let failed = 0
const check = (route, what, holds, told) => {
  if (!holds) failed += 1
  console.log(`${holds ? "ok    " : "FAILED"} ${route}: ${what}${told ? ` (${told})` : ""}`)
}

const inDirectory = async (use) => {
  const cwd = await mkdtemp(join(tmpdir(), "weir-real-"))
  try {
    await use(cwd)
  } finally {
    await rm(cwd, { force: true, recursive: true })
  }
}

/** The server's tokens are bytes for all words that it does not know. */
const passage = (bytes) => "Weir! ".repeat(Math.ceil(bytes / 6))

const limits = ["--max-output-tokens", "1024"]
const believed = ["--context-window", "200000", ...limits]

const tryRoute = async ({ name, options }) => {
  await inDirectory(async (cwd) => {
    const { code, events, stderr, times } = await weir(cwd, [...options, ...limits, "Say something."])
    check(name, "a short turn ends with an answer", code === 0 && times("text_delta") > 0, `exit ${code} ${stderr}`)
    const usage = events.find(({ type }) => type === "turn_finished")?.usage
    check(name, "usage is told", usage?.output_tokens > 0, JSON.stringify(usage))
  })
  await inDirectory(async (cwd) => {
    const { code, stderr, times } = await weir(cwd, [...options, ...believed, passage(40_000)])
    check(name, "a message that never fits ends with 3, naming sizes", code === 3 && /\d/.test(stderr), stderr)
    check(name, "no retry is spent on it", times("retry_scheduled") === 0)
    const limit = await learned(cwd)
    check(name, "the window is learned", limit.includes(String(window)), limit)
  })
  await inDirectory(async (cwd) => {
    const turns = []
    for (let turn = 0; turn < 5; turn += 1) {
      const more = turn === 0 ? [] : ["--continue"]
      turns.push(await weir(cwd, [...options, ...believed, ...more, `Part ${turn}: ${passage(3_000)}`]))
    }
    const sum = (type) => turns.reduce((total, turn) => total + turn.times(type), 0)
    const codes = turns.map(({ code }) => code).join(" ")
    const compactions = `exits ${codes}; ${sum("auto_compaction_started")} started, ${
      sum("auto_compaction_applied")
    } applied; ${turns.map(({ stderr }) => stderr).filter(Boolean).join(" | ")}`
    check(
      name,
      "a conversation that outgrows the window is compacted and goes on",
      codes === "0 0 0 0 0" &&
        sum("auto_compaction_applied") > 0,
      compactions
    )
  })
}

const ready = async () => {
  for (let tries = 0; tries < 300; tries += 1) {
    try {
      if ((await fetch(`${origin}/health`)).ok) return
    } catch {
      // It is still starting.
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("The server did not start within 30 s")
}

const [command, ...before] = (process.env.LLAMA_SERVER ?? "llama-server").split(" ")
const server = spawn(command, [
  ...before,
  ...[
    "-m",
    model,
    "-c",
    String(window),
    "-np",
    "1",
    "-t",
    "1",
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--jinja"
  ]
], { stdio: ["ignore", "ignore", process.env.VERBOSE ? "inherit" : "ignore"] })
server.on("error", (error) => {
  console.error(`${command} cannot be started: ${error.message}. Set LLAMA_SERVER.`)
  process.exit(2)
})
try {
  await ready()
  for (const route of routes) await tryRoute(route)
} finally {
  server.kill("SIGKILL")
}
console.log(failed === 0 ? "All held." : `${failed} did not hold.`)
process.exitCode = failed === 0 ? 0 : 1
