/** Every law over the same stories: each is told once, and judged by all. */
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Scheduler from "effect/Scheduler"
import type { Law } from "./laws/Law.js"
import { laws } from "./laws/Laws.js"
import { type Story, tell } from "./Story.js"
import { anyWorld, type World } from "./World.js"

const setting = (name: string, usual: number) => Effect.runSync(Effect.orElseSucceed(Config.integer(name), () => usual))

/** More stories, or others: `WEIR_RUNS=100000 WEIR_SEED=7`. A broken law prints its seed and the smallest world. */
const numRuns = setting("WEIR_RUNS", 1_000)
const seed = setting("WEIR_SEED", 20_251)

/** What has happened in some story, by name. */
const happened = new Set<string>()

const witness = ({ moments }: Story) => {
  for (const moment of moments) {
    happened.add(moment._tag)
    if (moment._tag === "Answered") happened.add(moment.how)
    if (moment._tag === "Recorded") {
      happened.add(moment.record._tag)
      if (moment.record._tag === "LimitLearned" && moment.record.limit.bytes) happened.add("refused by bytes")
    }
    if (moment._tag !== "Told") continue
    const { event } = moment
    happened.add(event._tag)
    if (event._tag === "AutoCompactionStarted") happened.add(event.reason)
    if (event._tag === "AutoCompactionFailed") happened.add(event.error._tag)
    if (event._tag === "AutoCompactionApplied") happened.add(event.strategy)
    if (event._tag === "TurnFinished") {
      happened.add(event.reason)
      if (event.error) happened.add(event.error._tag)
    }
    if (event._tag === "ManualCompactionFinished") {
      happened.add(event.end._tag)
      if (event.end._tag === "Compacted") happened.add(event.end.phase)
    }
  }
}

const succeeds = (judge: () => void): boolean => {
  try {
    judge()
    return true
  } catch {
    return false
  }
}

/** The laws that do not hold in the world: all of them where its story cannot even be told. */
const brokenIn = (world: World): ReadonlyArray<Law> => {
  let broken = laws
  succeeds(() => {
    const story = tell(world)
    witness(story)
    broken = laws.filter((law) => !succeeds(() => law.holds(story)))
  })
  return broken
}

/** Lets everybody else have a turn: a thousand stories in one go would look like a test that hangs. */
const breathe = Effect.yieldNow().pipe(Effect.withScheduler(Scheduler.timer(0)))

/** Every story, told once: the laws that some story breaks. */
const brokenLaws = Effect.runSync(Effect.cached(Effect.gen(function*() {
  const found = new Set<Law>()
  for (const world of FastCheck.sample(anyWorld, { numRuns, seed })) {
    yield* breathe
    for (const law of brokenIn(world)) found.add(law)
  }
  return found
})))

describe("laws of a session", () => {
  it.live("whatever can happen, happens in some story", () =>
    Effect.gen(function*() {
      yield* brokenLaws
      const expected = [
        ...["Opened", "NotRecorded", "Pressed", "refused", "failed", "cut", "Rewound", "RetryScheduled"],
        ...["in-turn-trigger", "turn-boundary-trigger", "context-error", "local-exhaustion", "LimitLearned"],
        ...["AutoCompactionApplied", "AutoCompactionCancelled", "AutoCompactionFailed", "isolated", "cached-prefix"],
        ...["EmptySummary", "TruncatedSummary", "MalformedSummary", "NoProgress", "SummarizerFailed"],
        ...["TranscriptError", "ModelChanged", "Compacted", "Unchanged", "Failed", "in-turn", "between-turns"],
        ...["finished", "interrupted", "context_limit", "max_steps", "refused", "StepInterrupted"],
        ...["CompactionCancelled", "refused by bytes", "OutputLimitExceeded"]
      ]
      // Some are rare.
      if (numRuns >= 1_000) assert.deepStrictEqual(expected.filter((name) => !happened.has(name)), [])
    }), 1_200_000)

  for (const law of laws) {
    it.live(law.title, () =>
      Effect.gen(function*() {
        if (!(yield* brokenLaws).has(law)) return
        // Told again, to find the smallest world in which it is broken.
        FastCheck.assert(FastCheck.property(anyWorld, (world) => law.holds(tell(world))), { numRuns, seed })
      }), 1_200_000)
  }
})
