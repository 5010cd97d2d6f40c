/** `weir sessions`: stored sessions. What each command does is loaded when it is asked for. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Argv from "../Argv.js"
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

/** Their names and options, for reading an argument vector. */
export const optionTables: ReadonlyArray<readonly [name: string, Argv.OptionTable]> = [
  ["sessions", new Map()],
  ["sessions list", new Map()],
  ["sessions show", new Map()],
  ["sessions replay", new Map()],
  ["sessions rename", new Map()],
  ["sessions delete", new Map()],
  ["sessions fork", Argv.optionTable(Object.values(forkOptions))],
  ["sessions undo-compaction", new Map()],
  ["sessions import", new Map()],
  ["sessions export", Argv.optionTable(Object.values(exportOptions))]
]

const described = Command.withDescription

const list = Command.make("list", {}, () => Effect.flatMap(load, ({ list }) => list)).pipe(
  described("List the sessions of this directory, then all others, newest first.")
)

const show = Command.make("show", { id }, ({ id }) => Effect.flatMap(load, ({ show }) => show(id))).pipe(
  described("Show what a session is, and its events with their numbers.")
)

const replay = Command.make("replay", { id }, ({ id }) => Effect.flatMap(load, ({ replay }) => replay(id))).pipe(
  described("Show a session as it looked.")
)

const rename = Command.make(
  "rename",
  { id, title: word("title", "Its new name.").pipe(Args.repeated) },
  ({ id, title }) => Effect.flatMap(load, ({ rename }) => rename(id, title.join(" ")))
).pipe(described("Give a session a name."))

const remove = Command.make("delete", { id }, ({ id }) => Effect.flatMap(load, ({ remove }) => remove(id))).pipe(
  described("Delete a session with all its files.")
)

const fork = Command.make(
  "fork",
  { ...forkOptions, id },
  ({ at, id }) => Effect.flatMap(load, ({ fork }) => fork(id, Option.getOrUndefined(at)))
).pipe(
  described("Begin a new session with the events of another.")
)

const undo = Command.make("undo-compaction", { id }, ({ id }) => Effect.flatMap(load, ({ undo }) => undo(id))).pipe(
  described("Take the newest compaction back: the model sees again what it had replaced.")
)

const exporting = Command.make(
  "export",
  { ...exportOptions, id },
  ({ format, id }) => Effect.flatMap(load, (stored) => stored.exported(id, format))
).pipe(
  described("Write a session to standard output.")
)

const importing = Command.make(
  "import",
  { file: word("file", "JSON lines that Claude Code, Codex or pi has written.") },
  ({ file }) => Effect.flatMap(load, (stored) => stored.imported(file))
).pipe(described("Make a session of another program's transcript."))

export const command = Command.make("sessions", {}, () => Effect.flatMap(load, ({ list }) => list)).pipe(
  described("List, show, replay, rename, delete, fork, export and import sessions."),
  Command.withSubcommands([list, show, replay, rename, remove, fork, undo, exporting, importing])
)
