/** One session on the screen, from its opening to the moment when another one, or nothing, takes its place. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import * as Path from "@effect/platform/Path"
import { Session } from "@weir/agent/Session"
import * as Catalogue from "@weir/catalogue/Catalogue"
import * as Branch from "@weir/session/Branch"
import type { Action } from "@weir/tui/Action"
import { Block } from "@weir/tui/Block"
import { ScreenEvent } from "@weir/tui/Input"
import type { Screen } from "@weir/tui/Screen"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberHandle from "effect/FiberHandle"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Opening from "../Opening.js"
import * as Project from "../Project.js"
import * as Stored from "../Stored.js"
import * as UserInput from "../UserInput.js"
import * as Asking from "./Asking.js"
import * as Commands from "./Commands.js"
import * as PermissionRules from "./PermissionRules.js"
import * as Replay from "./Replay.js"
import * as Repository from "./Repository.js"
import * as StatusKeeper from "./StatusKeeper.js"
import type { Wanted } from "./Wanted.js"

/** What comes after it; none: the program ends. `id`: the session that was left. */
export interface Left {
  readonly id: string
  /** The same session as it was. */
  readonly again: Wanted
  readonly next: Option.Option<Wanted>
}

/** Events that are taken from the session at once. */
const batch = 512

const open = Effect.fnUntraced(function*(wanted: Wanted, screen: Screen) {
  const place = yield* Opening.place(wanted)
  const { model, notices } = yield* Opening.chooseModel(place)
  // What is known already is shown already.
  const known = {
    branch: yield* Repository.branch(place.cwd),
    budget: 0,
    directory: yield* Repository.shown(place.cwd),
    model: model.id
  }
  yield* screen.dispatch(ScreenEvent.StatusChanged({ status: known }))
  const start = { cwd: place.cwd, model: model.id, provider: model.provider }
  const store = yield* Layer.build(Stored.layer)
  if (wanted.undo === true && wanted.resume !== "latest" && Option.isSome(wanted.resume)) {
    const undone = yield* Effect.provide(Branch.undoCompaction(wanted.resume.value), store)
    const text = undone === undefined ? "There is no compaction to take back." : "The newest compaction is taken back."
    yield* screen.dispatch(ScreenEvent.Noticed({ text }))
  }
  const transcript = yield* Effect.provide(Opening.openTranscript(wanted.resume, start), store)
  const path = yield* Path.Path
  const rules = yield* PermissionRules.make({
    file: path.join(place.home.data, "permissions.json"),
    project: (yield* Project.directories(place.cwd)).at(-1) ?? place.cwd,
    ...(wanted.allowed && { ofSession: wanted.allowed })
  })
  const asking = yield* Asking.make(rules)
  const layer = yield* Opening.sessionLayer({ approval: asking.approval, model, place, store: true, transcript })
  const session = Context.get(yield* Layer.build(layer), Session)
  const status = yield* StatusKeeper.make({ cwd: place.cwd, screen, session })
  yield* screen.dispatch(
    ScreenEvent.StatusChanged({
      status: {
        ...(yield* status.context),
        prices: Option.getOrUndefined(yield* Catalogue.lookup(model.provider, model.id))?.prices
      }
    }),
    ScreenEvent.Shown({
      blocks: wanted.isShown === true ? [] : yield* Effect.provide(Replay.blocks(transcript.start.id), store)
    }),
    ScreenEvent.Shown({
      blocks: [...notices, ...transcript.notices].map((text) => Block.Note({ text, tone: "plain" }))
    })
  )
  return { asking, model, place, rules, session, status, store, transcript }
})

export const sit = Effect.fn("Sitting.sit")(function*(options: {
  readonly wanted: Wanted
  readonly screen: Screen
  /** Sent first, unless it is empty. */
  readonly message: string
  /** Told of every message that is sent. */
  readonly onMessage: (text: string) => Effect.Effect<void>
}) {
  const { message, onMessage, screen, wanted } = options
  const sitting = yield* open(wanted, screen)
  const { asking, place: { cwd }, rules, session, status, store, transcript } = sitting
  const events = yield* session.subscribe
  const follow = Effect.flatMap(
    Queue.takeBetween(events, 1, batch),
    (taken) => {
      const happened = Chunk.toReadonlyArray(taken)
      return Effect.zipRight(screen.dispatch(...happened), status.follow(happened))
    }
  )
  yield* Effect.forkScoped(Effect.forever(follow))
  const prompting = yield* FiberHandle.make<void>()

  const failed = (error: { readonly message: string }) =>
    screen.dispatch({ _tag: "TurnFinished", error: { message: error.message }, reason: "failed" })

  const prompt = Effect.fnUntraced(function*(text: string) {
    const read = yield* Effect.either(UserInput.typed({ cwd, text }))
    if (read._tag === "Left") return yield* failed(read.left)
    yield* FiberHandle.run(prompting, Effect.asVoid(session.prompt(read.right)))
    yield* Effect.yieldNow()
  })

  const { id } = transcript.start
  const again: Wanted = {
    allowed: rules.ofSession,
    cwd: wanted.cwd,
    flags: wanted.flags,
    isShown: true,
    resume: Option.some(id)
  }
  const commands = Commands.make({ ...sitting, again, screen })

  const perform = Effect.fnUntraced(function*(
    action: Action
  ): Effect.fn.Return<
    Commands.Outcome,
    never,
    Effect.Effect.Context<ReturnType<typeof prompt>> | CommandExecutor | Scope.Scope
  > {
    switch (action._tag) {
      case "Prompt":
        yield* onMessage(action.text)
        yield* prompt(action.text)
        return Option.none()
      case "Escape":
        yield* Effect.forkScoped(session.escape)
        return Option.none()
      case "CancelCompaction":
        yield* Effect.forkScoped(session.cancelCompaction)
        return Option.none()
      case "Interrupt":
        yield* Effect.forkScoped(session.interrupt)
        return Option.none()
      case "Answer":
        yield* asking.answer(action.choice, action.because)
        return Option.none()
      case "Command":
        return yield* Effect.provide(commands.run(action.name, action.argument), store)
      case "Picked":
        return yield* Effect.provide(commands.picked(action.picker, action.id), store)
      case "Quit":
        return Option.some(Option.none())
      default:
        return Option.none()
    }
  })

  if (message !== "") yield* screen.dispatch(ScreenEvent.Submitted({ text: message }))
  const end = yield* Effect.iterate(Option.none<Option.Option<Wanted>>(), {
    while: Option.isNone,
    body: () => Effect.flatMap(Queue.take(screen.actions), perform)
  })
  return { again, id, next: Option.flatten(end) } satisfies Left
}, Effect.scoped)
