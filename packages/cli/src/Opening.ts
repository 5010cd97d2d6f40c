/** A session of a working directory, ready to be talked to: what the headless and the interactive command open alike. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as LimitStore from "@weir/agent/LimitStore"
import type { Approval } from "@weir/agent/Permission"
import * as Session from "@weir/agent/Session"
import * as Catalogue from "@weir/catalogue/Catalogue"
import * as Compaction from "@weir/compaction/Compaction"
import { Model } from "@weir/model/Model"
import * as Redaction from "@weir/model/Redaction"
import * as Refusal from "@weir/model/Refusal"
import * as CostTable from "@weir/session/CostTable"
import * as SessionStore from "@weir/session/SessionStore"
import { Transcript } from "@weir/session/Transcript"
import * as CodingTools from "@weir/tools/CodingTools"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Credentials from "./Credentials.js"
import * as Home from "./Home.js"
import { KnownSecrets } from "./KnownSecrets.js"
import * as Provider from "./Provider.js"
import * as Secrets from "./Secrets.js"
import * as Settings from "./Settings.js"
import * as Stored from "./Stored.js"
import * as SystemPrompt from "./SystemPrompt.js"
import * as ToolRules from "./ToolRules.js"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

/** Which session goes on: none, the newest of the directory, or the one whose id begins so. */
export type Resume = Option.Option<string> | "latest"

export interface Place {
  readonly cwd: string
  readonly home: Home.Home
  readonly loaded: Settings.Loaded
}

export const place = Effect.fnUntraced(function*(options: {
  readonly cwd: Option.Option<string>
  readonly flags: Settings.Settings
}) {
  const cwd = yield* WorkingDirectory.choose(options.cwd)
  const home = yield* Home.locate
  const loaded = yield* Settings.load({ cwd, flags: options.flags, home })
  yield* Secrets.meetSettings(loaded.settings)
  return { cwd, home, loaded } satisfies Place
})

/** In the scope of the session: it waits for a login that is being renewed. */
export const chooseModel = Effect.fnUntraced(function*({ home, loaded }: Place) {
  const credentials = yield* Layer.build(Credentials.layerHome(home))
  return yield* Effect.provide(Provider.choose(loaded), credentials)
})

export const openTranscript = Effect.fnUntraced(function*(resume: Resume, start: SessionStore.SessionStart) {
  const store = yield* SessionStore.SessionStore
  if (resume !== "latest") {
    return yield* Option.match(resume, { onNone: () => store.create(start), onSome: store.open })
  }
  const id = yield* store.latest(start.cwd)
  if (Option.isSome(id)) return yield* store.open(id.value)
  return yield* new UsageError({ message: `There is no session of ${start.cwd} to go on with. Begin one with: weir` })
}, Stored.asUsage)

/** For what is too large for a result, where nothing is kept. */
const temporary = Effect.flatMap(FileSystem.FileSystem, (fs) => fs.makeTempDirectoryScoped({ prefix: "weir-" })).pipe(
  Effect.mapError((error) =>
    new UsageError({
      message: `No temporary directory can be made: ${
        Refusal.words(error)
      }. Set TMPDIR to a directory that can be written.`
    })
  )
)

export const sessionLayer = Effect.fnUntraced(function*(options: {
  readonly place: Place
  readonly model: Model["Type"]
  readonly transcript: Transcript["Type"]
  /** Whether anything is kept after the session. */
  readonly store: boolean
  /** Who is asked whether a tool may run; nobody when left out. */
  readonly approval?: Approval
}) {
  const path = yield* Path.Path
  const { approval, model, place: { cwd, home, loaded: { settings } }, store, transcript } = options
  // A store of sessions has made them known.
  if (!store) yield* Secrets.meet
  const prices = Option.flatMapNullable(yield* Catalogue.lookup(model.provider, model.id), ({ prices }) => prices)
  const rules = yield* ToolRules.make({ allow: settings.allow ?? [], cwd, deny: settings.deny ?? [] })
  return Session.layer({
    ...Session.defaults,
    ...(Option.isSome(prices) && { costOf: (usage) => CostTable.costOf(usage, prices.value) }),
    ...(approval && { approval }),
    autoCompact: settings.autoCompact !== "off",
    compactionRequest: settings.compactionRequest ?? Session.defaults.compactionRequest,
    ...(settings.idleTimeout !== undefined && { idleTimeout: Duration.seconds(settings.idleTimeout) }),
    maxSteps: settings.maxSteps ?? Session.defaults.maxSteps,
    outputDirectory: store
      ? Home.outputsOf(path, home, transcript.start.id)
      : yield* temporary,
    redaction: Redaction.of(yield* KnownSecrets),
    permission: settings.permissionMode ?? Session.defaults.permission,
    rule: rules.rule,
    systemPrompt: yield* SystemPrompt.make({ appended: settings.appendSystemPrompt ?? "", cwd }),
    tools: yield* CodingTools.make({ cwd, hides: rules.hides })
  }).pipe(Layer.provide([
    Compaction.layer,
    store ? LimitStore.layerFile(path.join(home.data, "limits.json")) : LimitStore.layerMemory,
    Layer.succeedContext(Context.add(Context.make(Model, model), Transcript, transcript))
  ]))
})
