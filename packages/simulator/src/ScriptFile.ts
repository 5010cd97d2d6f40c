/**
 * A simulator described by a JSON file, for programs in other languages and for `weir simulate --script`:
 * `{"window": 64000, "replies": [{"calls": [{"tool": "bash", "args": {"command": "cat f{i}"}}], "repeat": 60}, {"text": "Done."}]}`.
 * `{i}` in texts and arguments is the number of the repetition, counted from 0.
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Fault from "./Fault.js"
import { print } from "./Json.js"
import type { Options } from "./Options.js"
import { defaultWindow, Enforce } from "./Options.js"
import type { Arrival } from "./RequestLog.js"
import * as Script from "./Script.js"
import { SummaryBehaviour } from "./Summary.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Millis = optional(Schema.NonNegative)

const Reply = Schema.Struct({
  text: optional(Schema.String),
  /** Empty: a thought that the model keeps to itself. */
  reasoning: optional(Schema.String),
  /** `args` is any JSON value; a string is sent as it is. */
  calls: optional(Schema.Array(Schema.Struct({ tool: Schema.String, args: Schema.Unknown }))),
  stop: optional(Schema.Literal("end", "calls", "length", "refused")),
  repeat: Schema.optionalWith(Schema.Positive.pipe(Schema.int()), { default: () => 1 }),
  beforeHeadersMillis: Millis,
  beforeFirstMillis: Millis,
  betweenMillis: Millis,
  fault: optional(Fault.Fault)
})
type Reply = typeof Reply.Type

const numbers = Schema.Union(Schema.NonNegativeInt, Schema.Array(Schema.NonNegativeInt))

const kind = optional(Schema.Literal("main", "compaction"))

export const ScriptFile = Schema.Struct({
  replies: Schema.Array(Reply),
  models: optional(Schema.Array(Schema.String)),
  accessTokenUses: optional(Schema.NonNegativeInt),
  /** Tokens. */
  window: optional(Schema.NonNegativeInt),
  /** Other windows for the requests from this number on, of one kind or of all; the last that applies decides. */
  windows: optional(Schema.Array(Schema.Struct({ from: Schema.NonNegativeInt, kind, window: Schema.NonNegativeInt }))),
  enforce: optional(Enforce),
  maxOutput: optional(Schema.NonNegativeInt),
  maxBodyBytes: optional(Schema.NonNegativeInt),
  counter: optional(Schema.Struct({
    scale: optional(Schema.Positive),
    perMessage: optional(Schema.NonNegativeInt),
    perTool: optional(Schema.NonNegativeInt),
    perCall: optional(Schema.NonNegativeInt),
    perImage: optional(Schema.NonNegativeInt)
  })),
  summary: optional(Schema.Union(SummaryBehaviour, Schema.Array(SummaryBehaviour))),
  faults: optional(Schema.Array(Schema.Struct({ at: numbers, kind, fault: Fault.Fault })))
})
export type ScriptFile = typeof ScriptFile.Type

const numbered = (text: string, index: number) => text.replaceAll("{i}", String(index))

const toScript = (reply: Reply): Script.Script => ({
  at: (index) => ({
    parts: [
      ...(reply.reasoning === undefined ? [] : [Script.reasoning(numbered(reply.reasoning, index))]),
      ...(reply.text === undefined ? [] : [Script.text(numbered(reply.text, index))]),
      ...(reply.calls ?? []).map(({ args, tool }) =>
        Script.call(tool, numbered(typeof args === "string" ? args : print(args), index))
      )
    ],
    ...(reply.stop && { stop: reply.stop }),
    ...(reply.beforeHeadersMillis !== undefined && { beforeHeaders: Duration.millis(reply.beforeHeadersMillis) }),
    ...(reply.beforeFirstMillis !== undefined && { beforeFirst: Duration.millis(reply.beforeFirstMillis) }),
    ...(reply.betweenMillis !== undefined && { between: Duration.millis(reply.betweenMillis) }),
    ...(reply.fault && { fault: reply.fault })
  }),
  length: reply.repeat
})

const toWindow = ({ window = defaultWindow, windows = [] }: ScriptFile) =>
  windows.length === 0 ? window : (arrival: Arrival) =>
    windows.findLast((rule) =>
      rule.kind === undefined
        ? arrival.index >= rule.from
        : arrival.kind === rule.kind && arrival.indexOfKind >= rule.from
    )?.window ?? window

export const toOptions = (file: ScriptFile): Options => ({
  accessTokenUses: file.accessTokenUses,
  counter: file.counter,
  enforce: file.enforce,
  faults: (file.faults ?? []).map((rule) => Fault.at(rule.at, rule.fault, rule.kind)),
  maxBodyBytes: file.maxBodyBytes,
  maxOutput: file.maxOutput,
  models: file.models,
  script: Script.sequence(file.replies.map(toScript)),
  summary: file.summary,
  window: toWindow(file)
})

/** Reads the file's text; an unknown field is an error, so that a misspelt one is not overlooked. */
export const parse = (text: string): Effect.Effect<Options, ParseResult.ParseError> =>
  Either.map(
    Schema.decodeUnknownEither(Schema.parseJson(ScriptFile), { onExcessProperty: "error" })(text),
    toOptions
  )
