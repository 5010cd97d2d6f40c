/** Does what `weir run` was asked: settles what is needed, runs one turn, reports it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Session from "@weir/agent/Session"
import { TurnFinished } from "@weir/agent/SessionEvent"
import * as TurnResult from "@weir/agent/TurnResult"
import * as Compaction from "@weir/compaction/Compaction"
import { Model } from "@weir/model/Model"
import * as SessionStore from "@weir/session/SessionStore"
import { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { converse } from "./Conversing.js"
import * as Credentials from "./Credentials.js"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import * as Progress from "./Progress.js"
import * as Provider from "./Provider.js"
import * as Report from "./Report.js"
import * as RetryNotice from "./RetryNotice.js"
import * as Settings from "./Settings.js"
import * as Stored from "./Stored.js"
import * as SystemPrompt from "./SystemPrompt.js"
import { UsageError } from "./UsageError.js"
import * as UserInput from "./UserInput.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

export interface RunOptions {
  readonly flags: Settings.Settings
  readonly words: ReadonlyArray<string>
  readonly format: Report.Format
  readonly verbose: boolean
  /** Whether the session is kept after the run. */
  readonly store: boolean
  readonly resume: Option.Option<string> | "latest"
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

const openTranscript = Effect.fnUntraced(function*(
  resume: RunOptions["resume"],
  start: SessionStore.SessionStart
) {
  const store = yield* SessionStore.SessionStore
  if (resume !== "latest") {
    return yield* Option.match(resume, { onNone: () => store.create(start), onSome: store.open })
  }
  const id = yield* store.latest(start.cwd)
  if (Option.isSome(id)) return yield* store.open(id.value)
  return yield* new UsageError({ message: `There is no session of ${start.cwd} to continue. Leave out --continue.` })
}, Stored.asUsage)

/** Tells programs that nothing could be asked, since there is no session to keep it. */
const reportUnopened = Effect.fnUntraced(function*(report: Report.Report, error: TranscriptError, startedAt: number) {
  const result = TurnResult.finish(TurnResult.started, "failed", error)
  yield* report.onEvent(new TurnFinished({ reason: "failed", usage: result.usage, error }))
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
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { stderr, stdout } = yield* Host
  const say = (line: string) => stderr.write(`weir: ${line}\n`)

  const cwd = yield* WorkingDirectory.choose(options.cwd)
  const home = yield* Home.locate
  const loaded = yield* Settings.load({ cwd, flags: options.flags, home })
  const { settings } = loaded
  const message = yield* UserInput.read({ cwd, words: options.words })
  // In the scope of the run: it waits for a login that is being renewed.
  const credentials = yield* Layer.build(Credentials.layerFile(path.join(home.data, "credentials.json")))
  const { model, notices } = yield* Effect.provide(Provider.choose(loaded), credentials)
  yield* Effect.forEach(notices, say, { discard: true })

  const store = options.store ? Stored.layer(settings.apiKeyEnv) : SessionStore.layerMemory
  const transcript = yield* openTranscript(options.resume, { cwd, model: model.id, provider: model.provider }).pipe(
    Effect.provide(store),
    Effect.tapErrorTag(
      "TranscriptError",
      (error) =>
        Effect.flatMap(Report.make(options.format, stdout, ""), (report) => reportUnopened(report, error, startedAt))
    )
  )
  yield* Effect.forEach(transcript.notices, say, { discard: true })
  const { id } = transcript.start
  const session = Session.layer({
    ...Session.defaults,
    autoCompact: settings.autoCompact !== "off",
    compactionRequest: settings.compactionRequest ?? Session.defaults.compactionRequest,
    ...(settings.idleTimeout !== undefined && { idleTimeout: Duration.seconds(settings.idleTimeout) }),
    maxSteps: settings.maxSteps ?? Session.defaults.maxSteps,
    outputDirectory: options.store
      ? path.join(home.data, "outputs", id)
      : yield* fs.makeTempDirectoryScoped({ prefix: "weir-" }),
    permission: settings.permissionMode ?? Session.defaults.permission,
    systemPrompt: yield* SystemPrompt.make({ appended: settings.appendSystemPrompt ?? "", cwd }),
    tools: yield* CodingTools.make({ cwd })
  }).pipe(Layer.provide([
    Compaction.layer,
    options.store ? LimitStore.layerFile(path.join(home.data, "limits.json")) : LimitStore.layerMemory,
    Layer.succeed(Model, model),
    Layer.succeed(Transcript, transcript)
  ]))

  const result = yield* converse({
    message,
    observers: [yield* options.verbose ? Progress.make(stderr) : RetryNotice.make(say)],
    report: yield* Report.make(options.format, stdout, id),
    startedAt
  }).pipe(Effect.provide(session))
  yield* Effect.forEach(verdict(result), say, { discard: true })
  return exitCodes[result.reason]
}, Effect.scoped)
