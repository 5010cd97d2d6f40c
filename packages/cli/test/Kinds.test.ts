/** Loops, requests that cannot fit, overflows not recognised, triggers too late or too early: kinds of fault at peers. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Fault from "@weir/simulator/Fault"
import * as Script from "@weir/simulator/Script"
import * as Effect from "effect/Effect"
import {
  answer,
  calm,
  check,
  ended,
  errorAt,
  errorFrom,
  type Kind,
  reading,
  readingBeside,
  recovered,
  thinking,
  window
} from "./Kinds.js"

const tooLong = {
  error: { code: "context_length_exceeded", message: "The prompt is too long.", type: "invalid_request_error" }
}

/** A window twelve times that of the provider, so that nothing is known before a refusal. */
const believing = ["--context-window", "200000"]

const rules = (words: number) => ({ "AGENTS.md": `Rule 7: never guess.\n${"Mind the gap. ".repeat(words / 3)}` })

const loops: ReadonlyArray<Kind> = [
  {
    title: "system prompt and tools alone are over the provider's limit",
    simulator: { faults: [errorFrom(0, 400, tooLong)] },
    options: believing,
    code: 3,
    holds: (ran) => {
      ended(ran)
      assert.strictEqual(ran.summaries.length, 0)
    }
  },
  {
    title: "switched off, an overflow asks for no summary either",
    simulator: { faults: [errorAt(4, 400, tooLong)] },
    options: [...believing, "--auto-compact", "off"],
    code: 3,
    holds: ({ summaries, times }) =>
      assert.deepStrictEqual([summaries.length, times("auto_compaction_started")], [0, 0])
  },
  {
    title: "the provider refuses as before although a summary was made",
    simulator: { faults: [errorFrom(4, 400, tooLong)] },
    options: believing,
    code: 3,
    holds: ended
  },
  {
    title: "a summary larger than what it stands for",
    simulator: { script: reading(10), summary: "inflated", window: 128_000 },
    holds: ({ summaries, times }) => {
      assert.strictEqual(times("auto_compaction_applied"), 0)
      assert.isAtMost(summaries.length, 4)
    }
  },
  {
    title: "project rules that fill a third of the window",
    files: rules(3_000),
    simulator: { script: reading(16) },
    holds: (ran) => {
      calm()(ran)
      assert.isAtMost(ran.times("auto_compaction_applied"), 8)
    }
  },
  {
    title: "a window so small that each result nears the threshold",
    simulator: { script: reading(8), window: 8_192 },
    options: ["--context-window", "8192"],
    holds: (ran) => {
      calm()(ran)
      assert.isBelow(ran.times("auto_compaction_applied"), 8)
    }
  },
  {
    title: "usage is never reported, so a count goes stale",
    simulator: { faults: [Fault.when(() => true, { _tag: "Usage", report: "missing" })], script: reading(14) },
    holds: (ran) => {
      calm()(ran)
      const kinds = ran.requests.map(({ kind }) => kind === "compaction" ? "c" : "m").join("")
      assert.notMatch(kinds, /cm?c/)
    }
  },
  {
    title: "a handful of large messages, all of them recent",
    simulator: { script: Script.reply(answer), window: 8_192 },
    options: believing,
    turns: [1, 2, 3, 4, 5].map((turn) => `Question ${turn}. ${"Consider this and that. ".repeat(300)}`),
    holds: (ran) => {
      assert.isAtLeast(ran.times("auto_compaction_applied"), 1)
      assert.deepStrictEqual(ran.turns.map(({ code }) => code), [0, 0, 0, 0, 0])
    }
  },
  {
    title: "rules that no compaction can make smaller",
    files: rules(30_000),
    options: ["--context-window", "8192"],
    code: 3,
    holds: ({ last, requests }) => {
      assert.strictEqual(requests.length, 0)
      assert.match(last.stderr, /system prompt takes \d+ tokens/)
    }
  }
]

const unfit: ReadonlyArray<Kind> = [
  {
    title: "more output asked for than the model gives",
    simulator: { maxOutput: 128_000, script: reading(2), window: 1_000_000 },
    options: ["--context-window", "1000000", "--max-output-tokens", "250000"],
    holds: ({ refused, times }) => assert.deepStrictEqual([refused.length, times("retry_scheduled")], [1, 0])
  },
  {
    title: "the output limit of a summary is the model's, not the history's",
    simulator: { maxOutput: 4_096, script: reading(10) },
    options: ["--max-output-tokens", "4096"],
    holds: calm()
  },
  {
    title: "summary requests are allowed a third of the window",
    simulator: { script: reading(10), window: ({ kind }) => kind === "compaction" ? 6_000 : window },
    holds: calm()
  },
  {
    title: "a history of nothing but text, over the provider's window",
    simulator: { script: Script.reply(answer), window: 6_000 },
    options: believing,
    turns: [1, 2, 3, 4].map((turn) => `Part ${turn}. ${"Nothing can be trimmed here. ".repeat(300)}`),
    holds: ({ times }) => assert.isAtLeast(times("auto_compaction_applied"), 1)
  },
  {
    title: "tool history needs tool definitions, in a summary's request too",
    api: "Bedrock Converse",
    simulator: { script: reading(10) },
    options: ["--compaction-request", "isolated"],
    holds: calm()
  },
  {
    title: "the provider counts a quarter more than we do, and the output too",
    simulator: { counter: { scale: 1.25 }, enforce: "sum", script: reading(14) },
    holds: (ran) => {
      assert.isAtLeast(ran.times("auto_compaction_applied"), 1)
      assert.isAtMost(ran.refused.length, 1)
    }
  }
]

const unrecognised: ReadonlyArray<Kind> = [
  {
    title: "Ollama's wording",
    simulator: {
      faults: [errorAt(4, 400, { error: "prompt too long; exceeded max context length by 100918 tokens" })]
    },
    options: believing,
    holds: recovered
  },
  {
    title: "an overflow inside a 503 in the middle of the stream",
    simulator: {
      faults: [Fault.at(4, {
        _tag: "ErrorFrame",
        after: 1,
        code: "503",
        message:
          "litellm.ServiceUnavailableError: litellm.MidStreamFallbackError: litellm.ContextWindowExceededError: " +
          "This model's maximum context length is 16384 tokens."
      }, "main")]
    },
    options: believing,
    holds: recovered
  },
  {
    title: "a code and nothing else",
    simulator: { faults: [errorAt(4, 400, { error: { code: "context_too_large", message: "Bad request" } })] },
    options: believing,
    holds: recovered
  },
  {
    title: "a plain refusal that is no overflow is told, once, and nothing is compacted",
    simulator: { faults: [errorFrom(4, 400, { error: { message: "The request is invalid." } })] },
    options: believing,
    code: 1,
    holds: ({ last, main, summaries }) => {
      assert.deepStrictEqual([main.length, summaries.length], [5, 0])
      assert.match(last.stderr, /The request is invalid/)
    }
  },
  {
    title: "input and output limit together are over the limit",
    api: "Anthropic Messages",
    simulator: { enforce: "sum", script: reading(8) },
    options: [...believing, "--max-output-tokens", "8192"],
    holds: ({ refused, times }) => {
      assert.isAtMost(refused.length, 3)
      assert.strictEqual(times("retry_scheduled"), 0)
    }
  },
  {
    title: "an overflow told after the response was created",
    api: "OpenAI Responses",
    simulator: {
      faults: [Fault.at(4, {
        _tag: "ErrorFrame",
        after: 1,
        code: "context_length_exceeded",
        message: "Your input exceeds the context window of this model."
      }, "main")]
    },
    options: believing,
    holds: recovered
  }
]

const large = ["--context-window", "128000"]

const mistimed: ReadonlyArray<Kind> = [
  { title: "a long loop of tools in one turn", simulator: { enforce: "sum", script: reading(24) }, holds: calm(2) },
  {
    title: "results of parallel calls that fill the window at once",
    simulator: { enforce: "sum", script: readingBeside(2, 8) },
    holds: calm()
  },
  {
    title: "the first request after a switch to a smaller model",
    simulator: {
      script: reading(8),
      window: ({ indexOfKind, kind }) => kind === "main" && indexOfKind > 8 ? window : 128_000
    },
    turns: [{ options: large, prompt: "Begin." }, { options: ["--model", "smaller"], prompt: "Go on." }],
    holds: calm()
  },
  {
    title: "another level of effort is no reason to compact",
    simulator: { script: reading(2) },
    turns: ["Begin.", { options: ["--thinking", "high"], prompt: "Go on." }],
    holds: ({ summaries }) => assert.strictEqual(summaries.length, 0)
  },
  {
    title: "a window declared larger than it is",
    simulator: { script: reading(10) },
    options: believing,
    turns: ["Begin.", "Go on."],
    holds: ({ refused, times }) => {
      assert.strictEqual(refused.length, 1)
      assert.isAtLeast(times("auto_compaction_applied"), 2)
    }
  },
  {
    title: "the user's window wins over that of a model of the same name",
    simulator: { script: reading(10) },
    options: ["--model", "gpt-4.1"],
    holds: calm()
  },
  {
    title: "a window set in a file wins too",
    simulator: { script: reading(10) },
    files: { ".weir/config.json": JSON.stringify({ contextWindow: window }) },
    tellsWindow: false,
    options: ["--model", "gpt-4.1"],
    holds: calm()
  },
  {
    title: "input stays the same while the history grows",
    simulator: { enforce: "truncate", script: reading(12) },
    holds: ({ times }) => assert.isAtLeast(times("auto_compaction_applied"), 1)
  },
  {
    title: "usage is in the cache fields alone",
    simulator: { faults: [Fault.when(() => true, { _tag: "Usage", report: "cached" })], script: reading(12) },
    holds: calm()
  },
  {
    title: "cached tokens are not among those of the input",
    api: "Anthropic Messages",
    simulator: { script: thinking(12) },
    holds: calm()
  },
  {
    title: "absurd usage does not hide a full window",
    simulator: { faults: [Fault.when(() => true, { _tag: "Usage", report: "absurd" })], script: reading(12) },
    holds: calm()
  },
  {
    title: "rules and tools count",
    files: rules(4_500),
    simulator: { enforce: "sum", script: reading(6) },
    holds: calm()
  }
]

const groups = {
  "loops without progress": loops,
  "requests that cannot fit": unfit,
  "overflows not recognised": unrecognised,
  "triggers too late or too early": mistimed
}

for (const [group, kinds] of Object.entries(groups)) {
  describe.concurrent(group, () => {
    for (const kind of kinds) {
      it.live(kind.title, () => Effect.provide(check(kind), NodeContext.layer), 120_000)
    }
  })
}
