/**
 * A compaction in the middle of a headless turn: nothing of it is seen, and nothing is lost. Over the two wires that
 * differ most: what a wire adds to a compaction, the loop's own tests say of each.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import type { Options } from "@weir/simulator/Options"
import type { Arrival } from "@weir/simulator/RequestLog"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Api, apis, chat, login } from "./Apis.js"
import { directory, type Finished } from "./Process.js"
import * as TestHost from "./TestHost.js"

const key = "sk-simulated"

const calls = 12

const parts = Array.from({ length: calls }, (_, index) => `Part ${index}.`)

const files = Object.fromEntries(
  parts.map((part, index) => [`part${index}.txt`, `line of ${part} ${"abcdefgh ".repeat(8)}\n`.repeat(60)])
)

const script = Script.sequence([
  {
    at: (index) => ({
      parts: [Script.text(`Part ${index}.`), Script.call("read_file", { path: `part${index}.txt` })]
    }),
    length: calls
  },
  Script.reply("Done.")
])

const text = [...parts, "Done."].join("\n\n")

const format = ["text", "json", "stream-json"] as const
type Format = typeof format[number]

/** The window of the simulator; the client believes in the first. */
const narrow = 16_384
const wide = 128_000

const turn = (api: Api, shown: Format, believed: number, window: Options["window"] = believed) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const simulator = yield* Simulator.make({ script, window })
    const cwd = yield* directory({ ...files, ...login(api, key, simulator) })
    const finished = yield* TestHost.run(
      [
        "run",
        ...api.options(simulator),
        ...["--context-window", String(believed), "--max-output-tokens", "4096", "--output-format", shown],
        "Read all parts."
      ],
      { cwd, env: api.env(key) }
    )
    const sessions = `${cwd}/.home/sessions`
    const [name = ""] = yield* fs.readDirectory(sessions)
    const resume = Effect.gen(function*() {
      const well = yield* Simulator.make({ script: Script.reply("Well again.") })
      return yield* TestHost.run(["run", ...api.options(well), "--continue", "Go on."], { cwd, env: api.env(key) })
    })
    return {
      ...finished,
      requests: yield* simulator.requests,
      resume,
      stored: yield* fs.readFileString(`${sessions}/${name}`)
    }
  })

const Result = Schema.parseJson(Schema.Struct({
  text: Schema.String,
  stop_reason: Schema.String,
  error: Schema.optional(Schema.Struct({ type: Schema.String, message: Schema.String, hint: Schema.String }))
}))

const Event = Schema.parseJson(Schema.Struct({ type: Schema.String, text: Schema.optional(Schema.String) }))

const events = (stdout: string) => Effect.forEach(stdout.trimEnd().split("\n"), (line) => Schema.decode(Event)(line))

/** What a run says in all, whatever the format. */
const said = Effect.fnUntraced(function*(shown: Format, stdout: string) {
  switch (shown) {
    case "text":
      return stdout.slice(0, -1)
    case "json":
      return (yield* Schema.decode(Result)(stdout)).text
    case "stream-json": {
      const steps: Array<string> = []
      for (const { text: delta = "", type } of yield* events(stdout)) {
        if (type === "step_started") steps.push("")
        if (type === "text_delta") steps.push((steps.pop() ?? "") + delta)
      }
      return steps.filter((step) => step !== "").join("\n\n")
    }
  }
})

const isCompaction = ({ kind }: { readonly kind: Arrival["kind"] }) => kind === "compaction"

/** The whole text in its order, and no word of a compaction. */
const unnoticed = (shown: Format, { code, stderr, stdout }: Finished) =>
  Effect.gen(function*() {
    assert.strictEqual(yield* said(shown, stdout), text)
    assert.strictEqual(stderr, "")
    assert.strictEqual(code, 0)
    assert.notMatch(stdout, /Compacting|compacted automatically|## Goal|compacted_context|last_user_message/)
  })

describe.concurrent("what a run prints", () => {
  for (const shown of format) {
    it.live(
      `[A15] [D02] [D03] ${shown}: the same text, in order, as without a compaction, and no word of one`,
      () =>
        Effect.gen(function*() {
          const without = yield* turn(chat, shown, wide)
          assert.isFalse(without.requests.some(isCompaction))
          yield* unnoticed(shown, without)
          if (shown === "stream-json") return
          const compacted = yield* turn(chat, shown, narrow)
          assert.isTrue(compacted.requests.some(isCompaction))
          yield* unnoticed(shown, compacted)
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
      60_000
    )
  }
})

const differing = apis.filter(({ name }) => name === chat.name || name === "Anthropic Messages")

for (const api of differing) {
  describe.concurrent(`${api.name}: a headless turn that compacts`, () => {
    it.live(
      "[D01] [D02] [D03] the checkpoint replaces the conversation, the accumulators start anew, and the text stays whole",
      () =>
        Effect.gen(function*() {
          const { requests, stored, ...shown } = yield* turn(api, "stream-json", narrow)
          yield* unnoticed("stream-json", shown)
          const at = requests.findIndex(isCompaction)
          const [before, after] = [requests[at - 1], requests[at + 1]]
          // Of the first call's output the summary may quote a line.
          const lines = (body = "") => body.split("line of Part 0.").length - 1
          assert.isAbove(lines(before?.body), 10)
          assert.notInclude(before?.body, "<compacted_context>")
          assert.include(after?.body, "<compacted_context>")
          assert.isAtMost(lines(after?.body), 1)
          // Nothing of a step before the checkpoint is told or kept a second time.
          for (const part of parts) {
            assert.strictEqual(stored.split(`{"_tag":"Text","text":"${part}"}`).length, 2, part)
          }
          const types = (yield* events(shown.stdout)).map(({ type }) => type)
          const applied = types.filter((type) => type === "auto_compaction_applied").length
          assert.isAtLeast(applied, 1)
          assert.strictEqual(stored.match(/"_tag":"CompactionApplied"/g)?.length, applied)
          assert.isAbove(types.lastIndexOf("step_started"), types.indexOf("auto_compaction_applied"))
          assert.strictEqual(types.filter((type) => type === "step_started").length, calls + 1)
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
      60_000
    )

    for (const shown of api === chat ? ["text", "json"] as const : ["json"] as const) {
      it.live(
        `[D04] ${shown}: a context error after a checkpoint: activity kept, text written, told, code 3`,
        () =>
          Effect.gen(function*() {
            let summaries = 0
            let served = 0
            const failing = yield* turn(api, shown, narrow, ({ kind }) => {
              if (kind === "compaction") summaries += 1
              return kind === "main" && summaries > 0 && served++ >= 2 ? 10 : narrow
            })
            const { code, resume, stderr, stdout, stored } = failing
            assert.match(stderr, /^weir: The request [^\n]*exceeds the context limit[^\n]*\n$/)
            assert.strictEqual(code, 3)
            const texts = (yield* said(shown, stdout)).split("\n\n")
            assert.isAbove(texts.length, 2)
            assert.deepStrictEqual(texts, parts.slice(0, texts.length))
            if (shown === "json") {
              const { error, stop_reason: reason } = yield* Schema.decode(Result)(stdout)
              assert.strictEqual(reason, "context_limit")
              assert.strictEqual(error?.type, "context_window_exceeded")
            }
            for (const part of texts) assert.include(stored, `{"_tag":"Text","text":"${part}"}`)
            assert.match(stored, /"_tag":"CompactionApplied"[^]*"_tag":"StepCompleted"[^]*"reason":"context_limit"/)
            assert.strictEqual((yield* resume).stdout, "Well again.\n")
          }).pipe(Effect.scoped, Effect.provide(NodeContext.layer)),
        60_000
      )
    }
  })
}
