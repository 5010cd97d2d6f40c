/** What the interactive command offers to choose from: completions, models, sessions, rules; and what is pasted. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { directory } from "./Process.js"
import { golden, keys, line, start } from "./Pty.js"

const pasted = Array.from({ length: 40 }, (_, at) => `line ${at} of the paste`).join("\n")

const edit = (from: string, to: string) => Script.call("edit_file", { new_text: to, old_text: from, path: "poem.txt" })

const Body = Schema.parseJson(Schema.Struct({
  messages: Schema.Array(Schema.Struct({ content: Schema.Unknown })),
  model: Schema.String
}))

/** Texts anywhere in what was sent. */
const texts = (content: unknown): ReadonlyArray<string> => {
  if (typeof content === "string") return [content]
  return typeof content === "object" && content !== null ? Object.values(content).flatMap(texts) : []
}

describe("the interactive command", () => {
  it.live("completes, folds a paste, shows changes in colours, opens tools, pages, picks models, rules and sessions", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ "docs/poem.md": "", "poem.txt": "The river\nis wide.\n" })
      const simulator = yield* Simulator.make({
        script: Script.sequence([
          Script.calls(edit("wide", "deep")),
          Script.calls(edit("deep", "cold")),
          Script.reply("It is cold now."),
          Script.reply("Nothing new.")
        ])
      })
      const terminal = yield* start(
        ["--provider", "anthropic", "--base-url", simulator.origin, "--model", "claude-haiku-4-5"],
        { columns: 72, cwd, env: { ANTHROPIC_API_KEY: "sk-ant-x" }, rows: 34 }
      )
      yield* terminal.until(/claude-haiku-4-5 ·/)

      yield* terminal.type("/mo")
      yield* terminal.until(/^\/mo ?\n─+\n→ \/model +choose a model\n/m)
      yield* terminal.type(keys.tab)
      yield* terminal.until(/^\/model\n/m)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/^❯ claude-haiku-4-5 +200k window · \$1\/\$5 per M$/m)
      yield* terminal.type("sonnet-4-5")
      yield* terminal.until(/^Models of anthropic {2}sonnet-4-5\n❯ claude-sonnet-4-5 [^]*Esc close · 2$/m)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/claude-sonnet-4-5 ·/)

      yield* terminal.type("Make it colder: @poe")
      yield* terminal.until(/^→ poem\.txt\n {2}docs\/poem\.md\n/m)
      yield* terminal.type(keys.tab)
      yield* terminal.until(/@poem\.txt\n/)
      yield* terminal.type(`\u001b[200~${pasted}\u001b[201~`)
      yield* terminal.until(/^Make it colder: @poem\.txt \[paste #1 \+40 lines\]$/m)
      yield* terminal.type(keys.enter)

      yield* terminal.until(/May edit_file run\?/)
      yield* Effect.sleep("300 millis")
      yield* terminal.type(keys.down + keys.enter)
      const changed = yield* terminal.until(/It is cold now\.\n\n─/)
      assert.include(
        changed,
        golden(`
      ✓ edit_file poem.txt (#s)
        @@ -1,2 +1,2 @@
         The river
        -is wide.
        +is deep.
      ✓ edit_file poem.txt (#s)
        @@ -1,2 +1,2 @@
         The river
        -is deep.
        +is cold.

      It is cold now.
      `)
      )
      assert.match(yield* terminal.raw, /\u001b\[31m-is wide\.\u001b\[39m[^]*\u001b\[32m\+is deep\.\u001b\[39m/)
      const [first] = yield* Effect.forEach(yield* simulator.requests, ({ body }) => Schema.decode(Body)(body))
      assert.strictEqual(first?.model, "claude-sonnet-4-5")
      const said = texts(first?.messages).find((text) => text.startsWith("Make it colder"))
      assert.strictEqual(
        said,
        `Make it colder: @poem.txt ${pasted}\n\n<file path="poem.txt">\nThe river\nis wide.\n\n</file>`
      )

      yield* terminal.type(keys.ctrlO)
      yield* terminal.until(
        /^Tools\n {2}✓ edit_file poem\.txt \(#s\)\n❯ ✓ edit_file poem\.txt \(#s\)\n {4}@@[^]*\n {4}\+is cold\.$/m
      )
      yield* terminal.type(keys.ctrlO)
      yield* terminal.until(/^(?![^]*Tools)/)
      yield* terminal.type(keys.pageUp)
      yield* terminal.until(/^What was said\n[^]*Esc close$/m)
      yield* terminal.type(keys.pageDown + keys.pageDown)
      yield* terminal.until(/^(?![^]*What was said)/)

      yield* terminal.type(keys.ctrlR)
      yield* terminal.until(/^History {2}type to narrow\n❯ Make it colder/m)
      yield* terminal.type(keys.enter)
      yield* terminal.until(/↑ 30 more ─+\n[^]*line 39 of the paste\n─/)
      yield* terminal.type(keys.ctrlC)
      yield* terminal.until(/^(?![^]*30 more)/)

      yield* terminal.type("/permissions\r")
      yield* terminal.until(/^❯ ask +changes and commands are asked about$/m)
      yield* terminal.until(/^ {2}edit_file +allowed; Enter forgets it$/m)
      yield* terminal.type(keys.escape)
      yield* terminal.until(/^(?![^]*Enter forgets)/)
      yield* terminal.type("/new\r")
      yield* terminal.until(/^A new session\.\n\n─/m)
      yield* terminal.type("Anything new?\r")
      yield* terminal.until(/^Nothing new\.\n\n─/m)
      yield* terminal.type("/sessions\r")
      yield* terminal.until(/^❯ Make it colder: @poem.txt [^]* 1 turn · \d{4}-\d\d-\d\d · [^]*Esc close · 1$/m)
      yield* terminal.type(keys.enter)
      const resumed = yield* terminal.until(
        /line 39 of the paste\n\n✓ edit_file poem\.txt \(ok\)[^]*It is cold now\.\n\n─+\n\n─+\nclaude-sonnet-4-5 · \S+ +░+╎ \d%$/
      )
      assert.strictEqual(
        resumed.slice(resumed.indexOf("✓")),
        golden(`
      ✓ edit_file poem.txt (ok)
        @@ -1,2 +1,2 @@
         The river
        -is wide.
        +is deep.
      ✓ edit_file poem.txt (ok)
        @@ -1,2 +1,2 @@
         The river
        -is deep.
        +is cold.

      It is cold now.

      ${line(72)}

      ${line(72)}
      claude-sonnet-4-5 · /tmp/weir-cli-XXXXXX                 ░░░░░░░░░░░╎ 2%
      `)
      )
      yield* terminal.type(keys.ctrlD)
      assert.strictEqual(yield* terminal.exited, 0)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)))
})
