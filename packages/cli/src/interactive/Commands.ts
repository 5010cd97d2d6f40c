/** What is typed with a slash. */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { PermissionMode } from "@weir/agent/Permission"
import type { Session } from "@weir/agent/Session"
import * as Catalogue from "@weir/catalogue/Catalogue"
import type { Model } from "@weir/model/Model"
import * as Refusal from "@weir/model/Refusal"
import { Thinking } from "@weir/model/Thinking"
import * as ExportMarkdown from "@weir/session/ExportMarkdown"
import * as Fold from "@weir/session/Fold"
import { SessionStore } from "@weir/session/SessionStore"
import type { Transcript } from "@weir/session/Transcript"
import type { TranscriptError } from "@weir/session/TranscriptError"
import { Block, type Tone } from "@weir/tui/Block"
import * as Figures from "@weir/tui/Figures"
import { ScreenEvent } from "@weir/tui/Input"
import type { Item } from "@weir/tui/Overlay"
import type { Screen } from "@weir/tui/Screen"
import { busySince, cost, lookable } from "@weir/tui/State"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as ContextText from "../ContextText.js"
import type * as Opening from "../Opening.js"
import { UsageError } from "../UsageError.js"
import * as CallOutput from "./CallOutput.js"
import * as Help from "./Help.js"
import * as Items from "./Items.js"
import type { PermissionRules } from "./PermissionRules.js"
import type { Wanted } from "./Wanted.js"

export interface Sitting {
  readonly model: Model["Type"]
  readonly place: Opening.Place
  readonly rules: PermissionRules
  readonly session: Session["Type"]
  readonly transcript: Transcript["Type"]
  readonly screen: Screen
  /** How this session is opened as it is. */
  readonly again: Wanted
}

/** None: the session goes on. Else what comes after it, which may be nothing. */
export type Outcome = Option.Option<Option.Option<Wanted>>

/** Of a file that must be new, in a directory that must be there. */
const unwritten = (file: string, error: PlatformError) => {
  const reason = error._tag === "SystemError" ? error.reason : undefined
  if (reason === "AlreadyExists") return `${file} exists already.`
  return `${file} cannot be written: ${reason === "NotFound" ? "its directory does not exist" : Refusal.words(error)}.`
}

const stay: Outcome = Option.none()
const quit: Outcome = Option.some(Option.none())

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path | Scope.Scope | SessionStore

export const make = (sitting: Sitting) => {
  const { model, place: { cwd, loaded: { settings } }, rules, screen, session, transcript } = sitting
  const { id } = transcript.start

  const say = (text: string, tone: Tone = "plain") =>
    Effect.as(screen.dispatch(ScreenEvent.Shown({ blocks: [Block.Note({ text, tone })] })), stay)
  const show = (title: string, text: string) =>
    Effect.as(screen.dispatch(ScreenEvent.TextOpened({ text, title })), stay)
  const pick = (picker: string, title: string, items: ReadonlyArray<Item>, selected = "") =>
    Effect.as(screen.dispatch(ScreenEvent.PickerOpened({ items, picker, selected, title })), stay)
  const failed = (error: TranscriptError | UsageError) => say(error.message, "error")
  /** The same session, opened otherwise. */
  const again = (next: Partial<Wanted>): Outcome => Option.some(Option.some({ ...sitting.again, ...next }))
  /** Another one, or a new one. */
  const open = (resume: Option.Option<string>): Outcome =>
    Option.some(Option.some({ cwd: sitting.again.cwd, flags: sitting.again.flags, resume }))

  /** What takes the session away waits until nothing runs in it. */
  const whenIdle = <E, R>(outcome: Effect.Effect<Outcome, E, R>) =>
    Effect.flatMap(screen.state, (state) =>
      busySince(state) === undefined
        ? outcome
        : say("That has to wait until the turn is over. Esc interrupts it.", "warning"))

  /** A turn goes on to its next step before that shows. */
  const compact = (focus: string) =>
    Effect.flatMap(screen.state, ({ turn }) =>
      turn === undefined || turn.isCompacting
        ? Effect.void
        : screen.dispatch(ScreenEvent.Noticed({ text: "It is compacted before the turn's next step." }))).pipe(
        Effect.zipRight(Effect.forkScoped(session.compact(focus))),
        Effect.as(stay)
      )

  const sessions = Effect.gen(function*() {
    const store = yield* SessionStore
    const all = (yield* store.overviews).filter((overview) => overview.id !== id)
    return yield* pick("session", "Sessions", all.map(Items.session))
  })

  const models = Effect.gen(function*() {
    const known = yield* Catalogue.models(model.provider)
    return known.length === 0
      ? yield* say(`No models of ${model.provider} are known here. Name one: /model ID`, "warning")
      : yield* pick("model", `Models of ${model.provider}`, known.map(Items.model), model.id)
  })

  const permissions = Effect.gen(function*() {
    const items = [...PermissionMode.literals.map(Items.mode), ...(yield* rules.all).map(Items.rule)]
    return yield* pick("permissions", "What tools may do", items, `mode ${settings.permissionMode ?? "ask"}`)
  })

  const context = Effect.gen(function*() {
    const store = yield* SessionStore
    const { compactions } = Fold.fold((yield* store.read(id)).records)
    return yield* show("Context", ContextText.lines(yield* session.context, compactions).join("\n"))
  })

  const costs = Effect.flatMap(screen.state, (state) => {
    const { cacheRead, cacheWrite, fresh, output } = state.used
    const spent = cost(state)
    const parts = `${Figures.grouped(fresh)} new, ${Figures.grouped(cacheRead)} cached, ` +
      `${Figures.grouped(cacheWrite)} written to the cache, ${Figures.grouped(output)} out`
    const known = spent === undefined
      ? "; no prices are known"
      : `; ${Figures.dollars(spent)}${state.used.isUnpriced ? ", and what models cost whose prices are not known" : ""}`
    return say(`${parts}${known}.`)
  })

  const output = (back: string) =>
    Effect.flatMap(screen.state, (state) =>
      Option.match(CallOutput.find(state, back), {
        onNone: () =>
          lookable(state).length === 0
            ? say("No tool has run yet.", "warning")
            : say(`Which one? /output is the newest, /output 2 the one before it, up to ${lookable(state).length}.`),
        onSome: ({ text, title }) => show(title, text)
      }))

  const writeExport = (name: string) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const store = yield* SessionStore
      const file = path.resolve(cwd, name === "" ? `weir-${id}.md` : name)
      yield* Effect.mapError(
        fs.writeFileString(file, ExportMarkdown.render(yield* store.read(id)), { flag: "wx" }),
        (error) => new UsageError({ message: `${unwritten(file, error)} Name another file: /export FILE` })
      )
      return yield* say(`Written to ${file}.`, "good")
    })

  const copy = Effect.gen(function*() {
    const store = yield* SessionStore
    const { records } = yield* store.read(id)
    const steps = records.flatMap((record) => record._tag === "StepCompleted" ? [record.step] : [])
    const text = steps.toReversed().map((step) =>
      step.parts.flatMap((part) => part._tag === "Text" ? [part.text] : []).join("\n\n")
    ).find((said) => said !== "")
    if (text === undefined) return yield* say("There is no answer to copy yet.", "warning")
    return (yield* screen.copy(text))
      ? yield* say(`${text.length} characters are on the clipboard, where the terminal allows it.`)
      : yield* say("There is no clipboard here. /export writes the session to a file.", "warning")
  })

  const diff = Command.make("git", "diff", "--no-color", "--no-ext-diff", "HEAD").pipe(
    Command.workingDirectory(cwd),
    Command.string,
    Effect.mapError(() => new UsageError({ message: `There is no git to be run in ${cwd}. /diff needs it.` })),
    Effect.flatMap((text) =>
      text.trim() === "" ? say("Nothing has changed, as far as git can tell.") : show("git diff HEAD", text)
    )
  )

  /** `told` is said for a while. */
  const withFlags = (flags: Partial<Wanted["flags"]>, told: string) =>
    whenIdle(
      Effect.as(
        screen.dispatch(ScreenEvent.Noticed({ text: told })),
        again({ flags: { ...sitting.again.flags, ...flags } })
      )
    )

  const run = (name: string, argument: string): Effect.Effect<Outcome, TranscriptError | UsageError, Needs> => {
    switch (name) {
      case "help":
        return show("Help", Help.text)
      case "exit":
      case "quit":
        return Effect.succeed(quit)
      case "new":
      case "clear":
        return whenIdle(Effect.as(say("A new session."), open(Option.none())))
      case "sessions":
        return whenIdle(sessions)
      case "resume":
        return whenIdle(argument === "" ? sessions : Effect.succeed(open(Option.some(argument))))
      case "compact":
        return compact(argument)
      case "undo-compaction":
        return whenIdle(Effect.succeed(again({ undo: true })))
      case "context":
        return context
      case "model":
        return argument === "" ? models : withFlags({ model: argument }, `Model: ${argument}`)
      case "thinking":
        return pick(
          "thinking",
          "How much the model reasons",
          Thinking.literals.map((level) => ({ detail: "", id: level, label: level })),
          settings.thinking
        )
      case "permissions":
        return permissions
      case "tools":
        return say(
          "read_file, grep and glob run unless a rule denies it; edit_file, write_file and bash as /permissions says."
        )
      case "cost":
        return costs
      case "output":
        return output(argument)
      case "export":
        return writeExport(argument)
      case "copy":
        return copy
      case "diff":
        return diff
      case "mcp":
        return say("Weir speaks no MCP. What a program on this machine can do, the agent can do with bash.")
      case "init":
        return Effect.as(screen.dispatch(ScreenEvent.Submitted({ text: Help.init })), stay)
      default:
        return say(`There is no command /${name}. /help lists them.`, "warning")
    }
  }

  const picked = (picker: string, chosen: string): Effect.Effect<Outcome, never, Needs> => {
    const [kind = "", value = ""] = chosen.split(/ (.*)/s)
    switch (picker) {
      case "session":
        return Effect.succeed(open(Option.some(chosen)))
      case "model":
        return withFlags({ model: chosen }, `Model: ${chosen}`)
      case "thinking": {
        const level = Thinking.literals.find((one) => one === chosen)
        return level === undefined ? Effect.succeed(stay) : withFlags({ thinking: level }, `Reasoning: ${level}`)
      }
      case "permissions": {
        const mode = PermissionMode.literals.find((one) => one === value)
        if (kind === "rule") return Effect.zipRight(rules.forget(value), say(`Forgotten: ${value}`))
        return mode === undefined
          ? Effect.succeed(stay)
          : withFlags({ permissionMode: mode }, `${mode}: ${Help.modes[mode]}`)
      }
      default:
        return Effect.succeed(stay)
    }
  }

  return {
    picked: (picker: string, chosen: string) => picked(picker, chosen),
    run: (name: string, argument: string) => Effect.catchAll(run(name, argument), failed)
  }
}
