/**
 * All that a session can meet: a window, a provider with its faults and lies, a user with a history to make and keys to
 * press, tools, a disk. Plain data, so that a story is told again from its seed. Times in milliseconds.
 */
import * as FastCheck from "effect/FastCheck"

/** What a text is made of. */
export type Stuff = "prose" | "code" | "cjk" | "emoji" | "spaces" | "tags"

export interface Words {
  readonly stuff: Stuff
  /** About that many tokens. */
  readonly tokens: number
}

/** A tool output. An image weighs a twelfth of the window. */
export interface Output extends Words {
  readonly images: number
}

export interface Reply {
  readonly says: Words
  readonly thinks: boolean
  readonly outputs: ReadonlyArray<Output>
  /** How long it takes to begin. */
  readonly after: number
  readonly tool: "look" | "run" | "unknown" | "broken"
}

export type FaultKind =
  | "overloaded"
  | "asks to wait"
  | "broken off"
  | "silent"
  | "unreachable"
  | "quota"
  | "refused content"
  | "length"
  | "output limit"
  | "overflow"

/** What happens in place of an answer to the `request`-th request of the turns, and to as many after it as `times`. */
export interface Fault {
  readonly request: number
  readonly times: number
  readonly kind: FaultKind
}

export type SummaryKind =
  | "good"
  | "long"
  | "blank"
  | "reasoning"
  | "call"
  | "refusal"
  | "echo"
  | "cut off"
  | "no headings"
  | "overflow"
  | "overloaded"
  | "quota"
  | "defect"

export interface SummaryAnswer {
  readonly kind: SummaryKind
  readonly after: number
}

/** How large a request's body may be, in bytes. */
export interface ByteLimit {
  readonly limit: number
  /** What we believe beforehand, in percent of it. */
  readonly declared: number | undefined
  /** Its bytes for 100 of ours. */
  readonly density: number
  /** The size of an image, in percent of it. */
  readonly image: number
}

export interface Provider {
  /** The window it enforces, in percent of the one we believe in. */
  readonly truth: number
  /** Whether it counts the output that is asked for. */
  readonly countsOutput: boolean
  /** Its tokens for 100 of ours. */
  readonly density: number
  /** What its usage says, in percent of its own count; not more than the window when it is stuck. */
  readonly usage: "missing" | "zero" | "stuck" | number
  readonly overflow: "at once" | "in the stream" | "silent, empty" | "silent, cut off" | "silent, whole"
  readonly names: "nothing" | "limit" | "all"
  /** The window it names, in percent of the one it enforces. */
  readonly claims: number
  readonly bytes: ByteLimit | undefined
  readonly caches: boolean
}

export type Act = "esc" | "interrupt" | "abandon" | "compact"

/** A key that is pressed, a compaction that is asked for, or a caller that gives up, some time after something was told for the `nth` time. */
export interface Press {
  readonly act: Act
  readonly on:
    | "TurnStarted"
    | "StepStarted"
    | "TextDelta"
    | "ToolCallStarted"
    | "AutoCompactionStarted"
    | "AutoCompactionApplied"
    | "RetryScheduled"
  readonly nth: number
  readonly after: number
}

/** The one that the window is told of, or another whose window is a third of it, or three times as large. */
export type ModelKind = "usual" | "smaller" | "larger"

export interface TurnPlan {
  readonly user: Output
  readonly replies: ReadonlyArray<Reply>
  /** What comes before: the end of the last turn, nothing (the message is queued), or another process. */
  readonly begins: "in order" | "queued" | "resumed"
  /** The model that another process goes on with. */
  readonly model: ModelKind
}

export interface World {
  readonly seed: number
  readonly window: number
  readonly source: "declared" | "catalogued" | "assumed"
  readonly outputCap: number
  /** In percent of the window. */
  readonly maxInput: number | undefined
  readonly maxOutput: number | undefined
  readonly replaysReasoning: boolean
  readonly automatic: boolean
  readonly strategy: "auto" | "isolated" | "cached-prefix"
  readonly maxSteps: number
  readonly provider: Provider
  readonly faults: ReadonlyArray<Fault>
  /** Answers to requests for summaries, over and over. */
  readonly summaries: ReadonlyArray<SummaryAnswer>
  readonly turns: ReadonlyArray<TurnPlan>
  readonly presses: ReadonlyArray<Press>
  readonly disk: {
    /** How long an append takes. */
    readonly delay: number
    /** Appends that fail, counted from the first. */
    readonly fails: ReadonlyArray<number>
  }
}

const often = <A>(usual: A, ...others: ReadonlyArray<A>) =>
  FastCheck.oneof({ arbitrary: FastCheck.constant(usual), weight: 2 * others.length + 1 }, {
    arbitrary: FastCheck.constantFrom<ReadonlyArray<A>[number]>(...(others.length > 0 ? others : [usual])),
    weight: others.length + 1
  })

const stuff = FastCheck.constantFrom<Array<Stuff>>("prose", "code", "cjk", "emoji", "spaces", "tags")

/** Mostly short: what a step weighs is for its images to say, which cost no time to count. */
const tokens = FastCheck.oneof(
  { arbitrary: FastCheck.nat(40), weight: 20 },
  { arbitrary: FastCheck.integer({ min: 41, max: 300 }), weight: 20 },
  { arbitrary: FastCheck.constantFrom(0, 3_000), weight: 2 }
)

const images = FastCheck.oneof(
  { arbitrary: FastCheck.constant(0), weight: 4 },
  { arbitrary: FastCheck.integer({ min: 1, max: 4 }), weight: 6 }
)

/** Rarely a megabyte. */
const output: FastCheck.Arbitrary<Output> = FastCheck.oneof(
  { arbitrary: FastCheck.record({ stuff, tokens, images }), weight: 1_000 },
  { arbitrary: FastCheck.record({ stuff, tokens: FastCheck.constant(250_000), images }), weight: 1 }
)

const reply: FastCheck.Arbitrary<Reply> = FastCheck.record({
  says: FastCheck.record({ stuff, tokens: often(20, 0, 60, 600) }),
  thinks: FastCheck.boolean(),
  outputs: FastCheck.array(output, { minLength: 1, maxLength: 2 }),
  after: often(0, 200, 3_000),
  tool: often<Reply["tool"]>("look", "run", "run", "unknown", "broken")
})

const user: FastCheck.Arbitrary<Output> = FastCheck.record({
  stuff,
  tokens: FastCheck.oneof({ arbitrary: FastCheck.integer({ min: 1, max: 60 }), weight: 6 }, {
    arbitrary: FastCheck.integer({ min: 0, max: 1_500 }),
    weight: 1
  }),
  images: FastCheck.oneof({ arbitrary: FastCheck.constant(0), weight: 6 }, {
    arbitrary: FastCheck.integer({ min: 1, max: 9 }),
    weight: 1
  })
})

const turn: FastCheck.Arbitrary<TurnPlan> = FastCheck.record({
  user,
  replies: FastCheck.array(reply, { maxLength: 6, size: "max" }),
  begins: often<TurnPlan["begins"]>("in order", "queued", "resumed", "resumed"),
  model: often<ModelKind>("usual", "smaller", "larger")
})

const summaryKind = FastCheck.oneof(
  { arbitrary: FastCheck.constant<SummaryKind>("good"), weight: 12 },
  {
    arbitrary: FastCheck.constantFrom<Array<SummaryKind>>(
      "long",
      "blank",
      "reasoning",
      "call",
      "refusal",
      "echo",
      "cut off",
      "no headings",
      "overflow",
      "overloaded",
      "quota",
      "defect"
    ),
    weight: 6
  }
)

const summaries = FastCheck.array(
  FastCheck.record({ kind: summaryKind, after: FastCheck.constantFrom(0, 0, 100, 5_000, 3_600_000, 86_400_000) }),
  { minLength: 1, maxLength: 6 }
)

const byteLimit: FastCheck.Arbitrary<ByteLimit> = FastCheck.record({
  limit: FastCheck.oneof(
    FastCheck.integer({ min: 12_000, max: 30_000 }),
    FastCheck.integer({ min: 30_000, max: 120_000 })
  ),
  declared: FastCheck.constantFrom(undefined, 100, 90, 150),
  density: FastCheck.integer({ min: 80, max: 105 }),
  image: FastCheck.integer({ min: 1, max: 30 })
})

const provider: FastCheck.Arbitrary<Provider> = FastCheck.record({
  truth: FastCheck.oneof(FastCheck.constantFrom(100, 1_000), FastCheck.integer({ min: 30, max: 110 })),
  countsOutput: FastCheck.boolean(),
  density: FastCheck.oneof(FastCheck.integer({ min: 90, max: 115 }), FastCheck.integer({ min: 50, max: 200 })),
  usage: FastCheck.oneof(
    { arbitrary: FastCheck.constantFrom<Array<Provider["usage"]>>(100, "missing"), weight: 3 },
    { arbitrary: FastCheck.constantFrom<Array<Provider["usage"]>>("zero", "stuck"), weight: 1 },
    { arbitrary: FastCheck.integer({ min: 50, max: 200 }), weight: 1 }
  ),
  overflow: often<Provider["overflow"]>(
    "at once",
    "in the stream",
    "silent, empty",
    "silent, cut off",
    "silent, whole"
  ),
  names: FastCheck.constantFrom<Array<Provider["names"]>>("nothing", "limit", "all"),
  claims: often(100, 50, 130, 300),
  bytes: FastCheck.option(byteLimit, { freq: 2, nil: undefined }),
  caches: FastCheck.boolean()
})

const faults: FastCheck.Arbitrary<ReadonlyArray<Fault>> = FastCheck.array(
  FastCheck.record({
    request: FastCheck.nat(20),
    times: FastCheck.constantFrom(1, 1, 2, 4),
    kind: FastCheck.constantFrom<Array<FaultKind>>(
      "overloaded",
      "asks to wait",
      "broken off",
      "silent",
      "unreachable",
      "quota",
      "refused content",
      "length",
      "output limit",
      "overflow",
      "overflow"
    )
  }),
  { maxLength: 2 }
)

const presses: FastCheck.Arbitrary<ReadonlyArray<Press>> = FastCheck.array(
  FastCheck.record({
    act: FastCheck.constantFrom<Array<Act>>("esc", "esc", "esc", "interrupt", "abandon", "compact", "compact"),
    on: often<Press["on"]>(
      "AutoCompactionStarted",
      "TurnStarted",
      "StepStarted",
      "TextDelta",
      "ToolCallStarted",
      "AutoCompactionApplied",
      "RetryScheduled"
    ),
    nth: FastCheck.integer({ min: 1, max: 4 }),
    after: FastCheck.constantFrom(0, 0, 1, 10, 50, 150, 2_000, 60_000, 4_000_000)
  }),
  { maxLength: 2 }
)

export const anyWorld: FastCheck.Arbitrary<World> = FastCheck.record({
  seed: FastCheck.nat(),
  window: FastCheck.oneof(
    FastCheck.integer({ min: 4_000, max: 40_000 }),
    FastCheck.integer({ min: 40_000, max: 2_000_000 })
  ),
  source: often<World["source"]>("declared", "catalogued", "assumed"),
  outputCap: FastCheck.constantFrom(1_024, 4_096, 8_192, 32_000, 64_000),
  maxInput: FastCheck.option(FastCheck.integer({ min: 40, max: 100 }), { freq: 6, nil: undefined }),
  maxOutput: FastCheck.option(FastCheck.constantFrom(1_000, 8_000, 64_000), { freq: 4, nil: undefined }),
  replaysReasoning: FastCheck.boolean(),
  automatic: often(true, true, true, false),
  strategy: FastCheck.constantFrom("auto" as const, "isolated" as const, "cached-prefix" as const),
  maxSteps: often(1_000, 2, 7),
  provider,
  faults,
  summaries,
  turns: FastCheck.array(turn, { minLength: 1, maxLength: 3, size: "max" }),
  presses,
  disk: FastCheck.record({
    delay: FastCheck.constantFrom(0, 0, 20),
    fails: FastCheck.oneof({ arbitrary: FastCheck.constant<ReadonlyArray<number>>([]), weight: 5 }, {
      arbitrary: FastCheck.array(FastCheck.nat(30), { maxLength: 2 }),
      weight: 1
    })
  })
})
