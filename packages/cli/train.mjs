/**
 * Run by the build in a process of its own, in an empty directory: runs the command against a model of its own and keeps
 * what V8 has compiled. The snapshot holds these functions compiled, all others as their source.
 */
import * as fs from "node:fs"
import { createServer } from "node:http"
import * as path from "node:path"
import { compiler, loader } from "./chunks.mjs"

const scripts = new Map()
const load = loader(
  compiler(__dirname, undefined, (name, script) => scripts.set(name, script)),
  process.getBuiltinModule
)

fs.writeFileSync("note.txt", "one line\n")

/** The tools that the model calls, reply by reply, before it answers. */
const calls = [
  { name: "read_file", arguments: { path: "note.txt" } },
  { name: "bash", arguments: { command: "echo done" } }
]

/** The next reply, as Chat Completions streams it. */
const reply = () => {
  const call = calls.shift()
  const choice = (delta, finish_reason = null) => ({ choices: [{ index: 0, delta, finish_reason }] })
  const tool_calls = call && [{
    index: 0,
    id: `call-${call.name}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.arguments) }
  }]
  const chunks = [
    choice(call ? { role: "assistant", tool_calls } : { role: "assistant", content: "Done." }),
    choice({}, call ? "tool_calls" : "stop"),
    { choices: [], usage: { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 } }
  ].map((chunk) => JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "m", ...chunk }))
  return [...chunks, "[DONE]"].map((data) => `data: ${data}\n\n`).join("")
}

const server = createServer((request, response) => {
  if (request.method !== "POST") return response.writeHead(404).end()
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.end(reply())
  })
})

const commands = (url) => [
  ["run", "--provider", "openai-compatible", "--base-url", url, "--model", "m", "--permission-mode", "full", "Go."],
  ["sessions", "list"]
]

const keep = () => {
  for (const [name, script] of scripts) {
    fs.writeFileSync(path.join(__dirname, "trained", name), script.createCachedData())
  }
}

const exit = process.exit

server.listen(0, "127.0.0.1", () => {
  const left = commands(`http://127.0.0.1:${server.address().port}/v1`)
  // Each command ends with it.
  process.exit = (code) => {
    if (code !== 0) exit(code)
    const args = left.shift()
    if (args === undefined) {
      keep()
      exit(0)
    }
    process.argv.splice(2, Infinity, ...args)
    load("main.cjs").start()
  }
  process.exit(0)
})
