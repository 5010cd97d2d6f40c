/** `weir config`: settings and where they come from. This file says what can be asked; others do it. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argv from "../Argv.js"
import * as Entry from "../Entry.js"
import { flagsOf, sessionOptions } from "./sessionOptions.js"
import { sittingOptions } from "./sittingOptions.js"

const { cwd } = sessionOptions

const listOptions = {
  ...sittingOptions,
  outputFormat: Options.choice("output-format", ["text", "json"]).pipe(
    Options.withDescription("A line a setting, or one object for other programs."),
    Options.withDefault("text")
  )
}

const setOptions = {
  cwd,
  project: Options.boolean("project").pipe(
    Options.withDescription("Write the project's file, .weir/config.json, instead of the user's.")
  )
}

const key = Args.text({ name: "key" }).pipe(
  Args.withDescription("A setting's name, as weir config list has it."),
  Args.map(Argv.unmark)
)

const value = Args.text({ name: "value" }).pipe(
  Args.withDescription("The value; of a list each entry is a word."),
  Args.repeated,
  Args.map((words) => words.map(Argv.unmark))
)

const lists = Effect.promise(() => import("../SettingList.js"))
const files = Effect.promise(() => import("../SettingsFile.js"))

const list = Entry.make("config list", {
  args: Entry.noArgs,
  description: "List every setting with its value and where it comes from, options given here included.",
  handler: (given) =>
    Effect.gen(function*() {
      const flags = { ...(yield* flagsOf(given)), ...given.screen }
      yield* (yield* lists).list({ cwd: given.cwd, flags, format: given.outputFormat })
      return 0
    }),
  options: Options.all(listOptions),
  record: listOptions
})

const get = Entry.make("config get", {
  args: Args.all({ key }),
  description: "Print a setting's value alone; of a list each entry on a line.",
  handler: (given) => Effect.flatMap(lists, ({ get }) => get({ cwd: given.cwd, flags: {}, key: given.key })),
  options: Options.all({ cwd }),
  record: { cwd }
})

const set = Entry.make("config set", {
  args: Args.all({ key, value }),
  description: "Write a setting into the user's file, or the project's. Never a key: weir auth login keeps those.",
  handler: (given) =>
    Effect.gen(function*() {
      yield* (yield* files).set({ cwd: given.cwd, isProject: given.project, key: given.key, words: given.value })
      return 0
    }),
  options: Options.all(setOptions),
  record: setOptions
})

const path = Entry.make("config path", {
  args: Entry.noArgs,
  description: "Print the files that settings are read from, and whether they exist.",
  handler: (given) => Effect.as(Effect.flatMap(lists, ({ paths }) => paths(given.cwd)), 0),
  options: Options.all({ cwd }),
  record: { cwd }
})

const group = Entry.make("config", {
  args: Entry.noArgs,
  description: "List, get and set settings.",
  handler: () =>
    Effect.as(Effect.flatMap(lists, ({ list }) => list({ cwd: Option.none(), flags: {}, format: "text" })), 0),
  ...Entry.noOptions
})

const commands = [list, get, set, path] as const

export const entries = [group, ...commands]

export const command = (exit: Entry.Exit) =>
  group.command(exit).pipe(Command.withSubcommands(Arr.map(commands, (entry) => entry.command(exit))))
