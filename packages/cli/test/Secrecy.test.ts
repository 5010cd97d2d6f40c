/** A key is kept nowhere and shown nowhere, whatever brings it up: every file of the home and every output is searched. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import { type Api, apis, chat, login } from "./Apis.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const key = "sk-secrecy-0123456789abcdef"

/** As much of it as would help a thief. */
const part = key.slice(0, 20)

const bash = (command: string) => Script.calls(Script.call("bash", { command }))

const many = "yes $(cat key.txt) | head -n 9000"

const brought = Script.sequence([
  // Far more than a result holds, in lines, in one line, and in an encoding of two bytes a letter.
  bash(many),
  bash(`${many} | tr -d '\\n'`),
  bash(`${many} | LC_ALL=C sed 's/$/\\xff/; s/./&\\x00/g'`),
  bash("printf 'sk-secrecy-'; sleep 0.1; printf '0123456789abcdef'; exit 3"),
  // More than may be recorded of a result, and a line that is cut.
  Script.calls(Script.call("read_file", { path: "many.txt" })),
  Script.calls(Script.call("read_file", { path: "long.txt" })),
  Script.calls(Script.call("grep", { pattern: "0123456789abcdef$" })),
  Script.calls(Script.call("grep", { pattern: "needle" })),
  Script.reply("Done.")
])

/** The model knows it by itself, besides. */
const known = Script.sequence([bash(`echo ${key}`), brought])

const files = {
  "key.txt": key,
  "long.txt": `${"x".repeat(1_978)}${key}${"x".repeat(3_000)}\n`,
  "many.txt": `API_KEY=${key}\n`.repeat(1_500),
  ...Object.fromEntries(
    Array.from(
      { length: 30 },
      (_, at) => [`minified${at}.js`, `${"y".repeat(400)}${key}${"z".repeat(60 + at * 4)}needle${"y".repeat(900)}`]
    )
  )
}

/** Every file of the home but the one that is there to keep keys, by its name. */
const kept = (home: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const names = yield* Effect.orElseSucceed(fs.readDirectory(home, { recursive: true }), () => [])
    const texts = yield* Effect.forEach(names.filter((name) => name !== "credentials.json"), (name) =>
      Effect.map(
        Effect.orElseSucceed(fs.readFileString(`${home}/${name}`), () => ""),
        (text) => [name, text] as const
      ))
    return texts.filter(([, text]) => text !== "")
  })

const isSecret = (api: Api, format: string, ...options: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const simulator = yield* Simulator.make({ script: options.includes("--no-session") ? brought : known })
    const cwd = yield* directory({ ...files, ...login(api, key, simulator) })
    const home = `${cwd}/.home`
    const env = api.env(key)
    const ran = yield* TestHost.run([
      "run",
      ...api.options(simulator),
      ...["--permission-mode", "full", "--verbose", "--output-format", format, ...options],
      `Is ${key} right?`
    ], { cwd, env })
    assert.strictEqual(ran.code, 0, ran.stderr)
    const stored = yield* kept(home)
    const sent = (yield* simulator.requests).map(({ body }, at) => [`request ${at}`, body] as const)
    const texts = [...stored, ...sent, ["standard output", ran.stdout], ["standard error", ran.stderr]] as const
    assert.deepStrictEqual(texts.flatMap(([name, text]) => text.includes(part) ? [name] : []), [])
    return { cwd, env, stored }
  })

const test = <E>(title: string, self: Effect.Effect<void, E, NodeContext.NodeContext>) =>
  it.live(title, () => Effect.provide(self, NodeContext.layer), 60_000)

describe.concurrent("a key that the user and the tools bring up", () => {
  for (const api of apis) {
    test(
      `is in no file, in no event and in no request: ${api.name}`,
      Effect.gen(function*() {
        const { stored } = yield* isSecret(api, "stream-json")
        const outputs = stored.filter(([name]) => name.startsWith("outputs/"))
        assert.isAtLeast(outputs.length, 4)
        for (const [name, text] of outputs) assert.include(text, "[redacted]", name)
      }).pipe(Effect.scoped)
    )
  }

  for (const format of ["text", "json"]) {
    test(
      `is in no ${format}, and no command shows it of the session`,
      Effect.gen(function*() {
        const { cwd, env, stored } = yield* isSecret(chat, format)
        const [id = ""] = stored.flatMap(([name]) => /^sessions\/(.+)\.jsonl$/.exec(name)?.slice(1) ?? [])
        const commands = [
          ["sessions", "list"],
          ["sessions", "show", id],
          ["sessions", "replay", id],
          ...["md", "json", "html"].map((to) => ["sessions", "export", id, "--format", to]),
          ["context", id]
        ]
        for (const command of commands) {
          const { code, stderr, stdout } = yield* TestHost.run(command, { cwd, env })
          assert.strictEqual(code, 0, command.join(" ") + stderr)
          assert.notInclude(stdout + stderr, part, command.join(" "))
        }
      }).pipe(Effect.scoped)
    )
  }

  test(
    "is sent to nobody and shown to nobody where no session is kept",
    Effect.scoped(isSecret(chat, "stream-json", "--no-session"))
  )
})
