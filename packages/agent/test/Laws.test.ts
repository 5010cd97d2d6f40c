/** Every law over the same stories: each is told once, and judged by all. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Scheduler from "effect/Scheduler"
import { type Law, laws } from "./Laws.js"
import { type Story, tell } from "./Story.js"
import { anyWorld, type World } from "./World.js"

const setting = (name: string, usual: number) => Effect.runSync(Effect.orElseSucceed(Config.integer(name), () => usual))

/** More stories, or others: `WEIR_RUNS=100000 WEIR_SEED=7`. A broken law prints its seed and the smallest world. */
const numRuns = setting("WEIR_RUNS", 1_000)
const seed = setting("WEIR_SEED", 20_251)

/** Laws that are broken, with the reason. */
type Verdict = ReadonlyMap<Law, string>

const reasonOf = (judge: () => void): string | undefined => {
  try {
    judge()
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** What has happened in some story, by name. */
const happened = new Set<string>()

const witness = ({ moments }: Story) => {
  for (const moment of moments) {
    happened.add(moment._tag)
    if (moment._tag === "Answered") happened.add(moment.how)
    if (moment._tag === "Recorded") happened.add(moment.record._tag)
    if (moment._tag !== "Told") continue
    const { event } = moment
    happened.add(event._tag)
    if (event._tag === "AutoCompactionStarted") happened.add(event.reason)
    if (event._tag === "AutoCompactionFailed") happened.add(event.error._tag)
    if (event._tag === "AutoCompactionApplied") happened.add(event.strategy)
    if (event._tag === "TurnFinished") happened.add(event.reason)
  }
}

const judge = (world: World): Verdict => {
  const broken = new Map<Law, string>()
  const failure = reasonOf(() => {
    const story = tell(world)
    witness(story)
    for (const law of laws) {
      const reason = reasonOf(() => law.holds(story))
      if (reason !== undefined) broken.set(law, reason)
    }
  })
  return failure === undefined ? broken : new Map(laws.map((law) => [law, failure]))
}

const judged = new Map<string, Verdict>()

const verdictOn = (world: World): Verdict => {
  const key = JSON.stringify(world)
  const verdict = judged.get(key) ?? judge(world)
  judged.set(key, verdict)
  return verdict
}

/** Lets everybody else have a turn: a thousand stories in one go would look like a test that hangs. */
const breathe = Effect.yieldNow().pipe(Effect.withScheduler(Scheduler.timer(0)))

describe("laws of a session", () => {
  it.live("whatever can happen, happens in some story", () =>
    Effect.gen(function*() {
      const worlds = FastCheck.sample(anyWorld, { numRuns, seed })
      yield* Effect.forEach(worlds, (world) => Effect.zipRight(breathe, Effect.sync(() => verdictOn(world))), {
        discard: true
      })
      const expected = [
        ...["Opened", "NotRecorded", "Pressed", "refused", "failed", "cut", "Rewound", "RetryScheduled"],
        ...["in-turn-trigger", "turn-boundary-trigger", "context-error", "LimitLearned"],
        ...["AutoCompactionApplied", "AutoCompactionCancelled", "AutoCompactionFailed", "isolated", "cached-prefix"],
        ...[
          "EmptySummary",
          "TruncatedSummary",
          "MalformedSummary",
          "NoProgress",
          "SummarizerFailed",
          "TranscriptError"
        ],
        ...["finished", "interrupted", "context_limit", "max_steps", "refused", "StepInterrupted"]
      ]
      // Some are rare.
      if (numRuns >= 1_000) assert.deepStrictEqual(expected.filter((name) => !happened.has(name)), [])
    }), 1_200_000)

  for (const law of laws) {
    it.prop(law.title, [anyWorld], ([world]) => {
      const reason = verdictOn(world).get(law)
      if (reason !== undefined) assert.fail(reason)
    }, { fastCheck: { numRuns, seed }, timeout: 1_200_000 })
  }
})
