/** What is typed with a slash. */
import type { Session } from "@weir/agent/Session"
import type { Model } from "@weir/model/Model"
import type { Transcript } from "@weir/session/Transcript"
import { Block, type Tone } from "@weir/tui/Block"
import { ScreenEvent } from "@weir/tui/Input"
import type { Screen } from "@weir/tui/Screen"
import { busySince } from "@weir/tui/State"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Opening from "../Opening.js"
import * as Help from "./Help.js"
import type { Wanted } from "./Wanted.js"

export interface Sitting {
  readonly model: Model["Type"]
  readonly place: Opening.Place
  readonly session: Session["Type"]
  readonly transcript: Transcript["Type"]
  readonly screen: Screen
  /** As what this session was opened. */
  readonly wanted: Wanted
}

/** None: the session goes on. Else what comes after it, which may be nothing. */
export type Outcome = Option.Option<Option.Option<Wanted>>

export interface Commands {
  readonly run: (name: string, argument: string) => Effect.Effect<Outcome>
  readonly picked: (picker: string, id: string) => Effect.Effect<Outcome>
}

const stay: Outcome = Option.none()
const quit: Outcome = Option.some(Option.none())

export const make = Effect.fnUntraced(function*(sitting: Sitting): Effect.fn.Return<Commands, never, Scope.Scope> {
  const { screen, session, wanted } = sitting
  const scope = yield* Effect.scope

  const say = (text: string, tone: Tone = "plain") =>
    Effect.as(screen.dispatch(ScreenEvent.Shown({ blocks: [Block.Note({ text, tone })] })), stay)

  const open = (next: Partial<Wanted>): Outcome => Option.some(Option.some({ ...wanted, ...next }))

  /** What takes the session away waits until nothing runs in it. */
  const whenIdle = (outcome: Effect.Effect<Outcome>) =>
    Effect.flatMap(screen.state, (state) =>
      busySince(state) === undefined
        ? outcome
        : say("That has to wait until the turn is over. Esc interrupts it.", "warning"))

  const fresh = whenIdle(Effect.succeed(open({ resume: Option.none() })))

  const run = (name: string, argument: string): Effect.Effect<Outcome> => {
    switch (name) {
      case "help":
        return Effect.as(screen.dispatch(ScreenEvent.TextOpened({ text: Help.text, title: "Help" })), stay)
      case "exit":
      case "quit":
        return Effect.succeed(quit)
      case "new":
      case "clear":
        return fresh
      case "compact":
        return Effect.as(Effect.forkIn(session.compact(argument), scope), stay)
      default:
        return say(`There is no command /${name}. /help lists them.`, "warning")
    }
  }

  return { picked: () => Effect.succeed(stay), run }
})
