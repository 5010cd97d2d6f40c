/** `weir sessions`: stored sessions. What each command does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
import { checked } from "../SettingOption.js"

const word = (name: string, description: string) =>
  Args.text({ name }).pipe(Args.withDescription(description), Args.map(Argv.unmark))

const id = word("id", "A session; the beginning of its id is enough.")

const load = Effect.promise(() => import("../StoredSessions.js"))

const forkOptions = {
  at: Options.integer("at").pipe(
    Options.withPseudoName("EVENT"),
    checked(Schema.Int.pipe(Schema.positive())),
    Options.withDescription("The last event to take over, as `weir sessions show` numbers them; all by default."),
    Options.optional
  )
}

const exportOptions = {
  format: Options.choice("format", ["md", "json", "html"]).pipe(
    Options.withDescription("Markdown, JSON with everything that is recorded, or one page for a browser."),
    Options.withDefault("md")
  )
}

const stored = <E, R>(work: (stored: Effect.Effect.Success<typeof load>) => Effect.Effect<void, E, R>) =>
  load.pipe(Effect.flatMap(work), Effect.as(0))

const oneId = Args.all({ id })

const list = Entry.make("sessions list", {
  args: Entry.noArgs,
  description: "List the sessions of this directory, then all others, newest first.",
  handler: () => stored(({ list }) => list),
  ...Entry.noOptions
})

const show = Entry.make("sessions show", {
  args: oneId,
  description: "Show what a session is, and its events with their numbers.",
  handler: ({ id }) => stored(({ show }) => show(id)),
  ...Entry.noOptions
})

const replay = Entry.make("sessions replay", {
  args: oneId,
  description: "Show a session as it looked.",
  handler: ({ id }) => stored(({ replay }) => replay(id)),
  ...Entry.noOptions
})

const rename = Entry.make("sessions rename", {
  args: Args.all({ id, title: word("title", "Its new name.").pipe(Args.repeated) }),
  description: "Give a session a name.",
  handler: ({ id, title }) => stored(({ rename }) => rename(id, title.join(" "))),
  ...Entry.noOptions
})

const remove = Entry.make("sessions delete", {
  args: oneId,
  description: "Delete a session with all its files.",
  handler: ({ id }) => stored(({ remove }) => remove(id)),
  ...Entry.noOptions
})

const fork = Entry.make("sessions fork", {
  args: oneId,
  description: "Begin a new session with the events of another.",
  handler: ({ at, id }) => stored(({ fork }) => fork(id, Option.getOrUndefined(at))),
  options: Options.all(forkOptions),
  record: forkOptions
})

const undo = Entry.make("sessions undo-compaction", {
  args: oneId,
  description: "Take the newest compaction back: the model sees again what it had replaced.",
  handler: ({ id }) => stored(({ undo }) => undo(id)),
  ...Entry.noOptions
})

const exporting = Entry.make("sessions export", {
  args: oneId,
  description: "Write a session to standard output.",
  handler: ({ format, id }) => stored(({ exported }) => exported(id, format)),
  options: Options.all(exportOptions),
  record: exportOptions
})

const importing = Entry.make("sessions import", {
  args: Args.all({ file: word("file", "JSON lines that Claude Code, Codex or pi has written.") }),
  description: "Make a session of another program's transcript.",
  handler: ({ file }) => stored(({ imported }) => imported(file)),
  ...Entry.noOptions
})

const group = Entry.make("sessions", {
  args: Entry.noArgs,
  description: "List, show, replay, rename, delete, fork, export and import sessions.",
  handler: () => stored(({ list }) => list),
  ...Entry.noOptions
})

const commands = [list, show, replay, rename, remove, fork, undo, exporting, importing] as const

export const entries = [group, ...commands]

export const command = (exit: Entry.Exit) =>
  group.command(exit).pipe(Command.withSubcommands(Arr.map(commands, (entry) => entry.command(exit))))
