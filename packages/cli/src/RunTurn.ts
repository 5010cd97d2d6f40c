/** Does what `weir run` was asked: settles what is needed, runs one turn, reports it. */
import * as TurnResult from "@weir/agent/TurnResult"
import * as SessionStore from "@weir/session/SessionStore"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { converse } from "./Conversing.js"
import { Host } from "./Host.js"
import * as Opening from "./Opening.js"
import * as Progress from "./Progress.js"
import * as Report from "./Report.js"
import * as RetryNotice from "./RetryNotice.js"
import type * as Settings from "./Settings.js"
import * as Stored from "./Stored.js"
import * as UserInput from "./UserInput.js"

export interface RunOptions {
  readonly flags: Settings.Settings
  readonly words: ReadonlyArray<string>
  readonly format: Report.Format
  readonly verbose: boolean
  /** Whether the session is kept after the run. */
  readonly store: boolean
  readonly resume: Opening.Resume
  readonly cwd: Option.Option<string>
}

const exitCodes: { readonly [reason in TurnResult.TurnResult["reason"]]: number } = {
  context_limit: 3,
  failed: 1,
  finished: 0,
  interrupted: 130,
  max_steps: 1,
  refused: 1
}

/** Tells programs that nothing could be asked, since there is no session to keep it. */
const reportUnopened = Effect.fnUntraced(function*(report: Report.Report, error: TranscriptError, startedAt: number) {
  const result = TurnResult.finish(TurnResult.started, "failed", error)
  yield* report.onEvent({ _tag: "TurnFinished", reason: "failed", usage: result.usage, error })
  yield* report.onResult(result, (yield* Clock.currentTimeMillis) - startedAt)
})

/** What remains to be said on standard error. */
const verdict = ({ error, reason, steps }: TurnResult.TurnResult): ReadonlyArray<string> => [
  ...(error ? [error.message] : []),
  ...(reason === "max_steps" ? [`stopped after ${steps} steps, the limit set by --max-steps`] : [])
]

/** Succeeds with the exit code. */
export const runTurn = Effect.fn("runTurn")(function*(options: RunOptions) {
  const startedAt = yield* Clock.currentTimeMillis
  const { stderr, stdout } = yield* Host
  const say = (line: string) => stderr.write(`weir: ${line}\n`)

  const place = yield* Opening.place(options)
  const { cwd } = place
  const message = yield* UserInput.read({ cwd, words: options.words })
  const { model, notices } = yield* Opening.chooseModel(place)
  yield* Effect.forEach(notices, say, { discard: true })

  const store = options.store ? Stored.layer : SessionStore.layerMemory
  const start = { cwd, model: model.id, provider: model.provider }
  const transcript = yield* Opening.openTranscript(options.resume, start).pipe(
    Effect.provide(store),
    Effect.tapErrorTag(
      "TranscriptError",
      (error) =>
        Effect.flatMap(Report.make(options.format, stdout, ""), (report) => reportUnopened(report, error, startedAt))
    )
  )
  yield* Effect.forEach(transcript.notices, say, { discard: true })
  const { id } = transcript.start
  const session = yield* Opening.sessionLayer({ model, place, store: options.store, transcript })

  const result = yield* converse({
    message,
    observers: [
      yield* options.verbose ? Progress.make(stderr) : RetryNotice.make(say),
      (event) => event._tag === "TranscriptMended" ? say(event.text) : Effect.void
    ],
    report: yield* Report.make(options.format, stdout, id),
    startedAt
  }).pipe(Effect.provide(session))
  yield* Effect.forEach(verdict(result), say, { discard: true })
  return exitCodes[result.reason]
}, Effect.scoped)
