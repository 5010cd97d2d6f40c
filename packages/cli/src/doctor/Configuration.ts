/** What the user has configured: files, variables, keys. Keys are told by where they are, never shown. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Credentials } from "../Credentials.js"
import * as Environment from "../Environment.js"
import type { Home } from "../Home.js"
import * as Project from "../Project.js"
import * as Provider from "../Provider.js"
import * as ProviderKey from "../ProviderKey.js"
import * as Table from "../ProviderTable.js"
import * as SettingNames from "../SettingNames.js"
import * as Settings from "../Settings.js"
import type { UsageError } from "../UsageError.js"
import { type Check, type Finding, ok, problem, warning } from "./Finding.js"

const complaints = ({ message }: UsageError, advice: string): ReadonlyArray<Finding> =>
  message.split("\n").map((text) => problem(text, advice))

const mend = "Mend it: weir config set KEY VALUE, or by hand. The settings that there are: weir config list --help"

/** What a file says of itself. */
const told = (
  file: string,
  reading: Effect.Effect<Option.Option<Settings.Settings>, UsageError, FileSystem.FileSystem>
) =>
  Effect.match(reading, {
    onFailure: (error) => complaints(error, mend),
    onSuccess: Option.match({
      onNone: () => [ok(`${file} does not exist`)],
      onSome: (settings) => {
        const count = Object.keys(settings).length
        return [ok(`${file}: ${count} ${count === 1 ? "setting" : "settings"}`)]
      }
    })
  })

const findFiles = Effect.fnUntraced(function*(place: Settings.Place) {
  const user = yield* Settings.userFile(place)
  const project = yield* Project.settingsFile(place.cwd)
  return [
    ...(yield* told(user, Settings.readFile(user, Settings.Settings))),
    ...(Option.isSome(project)
      ? yield* told(project.value, Settings.readFile(project.value, Settings.ProjectSettings))
      : [])
  ]
})

export const files = (place: Settings.Place): Check<FileSystem.FileSystem | Path.Path> => ({
  find: findFiles(place),
  name: "config"
})

/**
 * What stands in the place of a file and is none: it is not even opened. A pipe would keep the process from ending for
 * as long as nobody writes into it.
 */
export const obstacles = Effect.fnUntraced(function*({ cwd, home }: Settings.Place) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const project = yield* Project.settingsFile(cwd)
  const all = [
    path.join(home.config, "config.json"),
    ...Option.toArray(project),
    path.join(home.data, "credentials.json"),
    path.join(home.data, "limits.json")
  ]
  const found = yield* Effect.forEach(all, (file) =>
    Effect.match(fs.stat(file), {
      onFailure: () => [],
      onSuccess: ({ type }) => type === "File" ? [] : [problem(`${file} is no file`, "Move it away.")]
    }))
  return found.flat()
})

const known: ReadonlySet<string> = new Set(["WEIR_HOME", ...Settings.names.map(Settings.variable)])

const unknownVariable = (name: string) =>
  warning(
    `${name} is no variable that Weir knows`,
    Option.match(SettingNames.guess(name), {
      onNone: () => `Unset it, or see: weir config list`,
      onSome: (meant) => `Did you mean ${Settings.variable(meant)}?`
    })
  )

const findVariables = Effect.gen(function*() {
  const set = yield* Environment.namesUnder("WEIR")
  const wrong = yield* Effect.match(Settings.readEnvironment, {
    onFailure: (error) => complaints(error, "Set it anew, or unset it."),
    onSuccess: (): ReadonlyArray<Finding> => []
  })
  const own = set.filter((name) => known.has(name))
  return [
    ...(wrong.length > 0 ? wrong : [ok(own.length === 0 ? "no WEIR_ variable is set" : own.join(", "))]),
    ...set.filter((name) => !known.has(name)).map(unknownVariable)
  ]
})

export const variables: Check = { find: findVariables, name: "variables" }

const keyed: ReadonlyArray<Table.Keyed> = [Table.anthropic, Table.openAi, Table.google, Table.openAiCompatible]

/** A key that no server could take. */
const malformed = (name: string, named: string | undefined) => {
  const entry = keyed.find((other) => other.name === name)
  return entry === undefined
    ? Effect.succeed<ReadonlyArray<Finding>>([])
    : Effect.match(ProviderKey.read(entry.keyVariables, named), {
      onFailure: ({ message }) => [problem(message, "Set the variable to the key alone.")],
      onSuccess: (): ReadonlyArray<Finding> => []
    })
}

const findKeys = Effect.gen(function*() {
  const found = yield* Effect.forEach(Provider.all, ({ credential, name }) =>
    Effect.matchEffect(credential, {
      // The credentials' own check tells of them.
      onFailure: () => Effect.succeed<ReadonlyArray<Finding>>([]),
      onSuccess: Option.match({
        onNone: () => Effect.succeed<ReadonlyArray<Finding>>([]),
        onSome: (place) =>
          Effect.map(malformed(name, undefined), (wrong) => wrong.length > 0 ? wrong : [ok(`${name}: ${place}`)])
      })
    }))
  const findings = found.flat().filter(({ text }, at, all) => all.findIndex((other) => other.text === text) === at)
  return findings.length > 0 ? findings : [warning(
    "none: the offline helper answers, which is no language model",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or: weir auth login PROVIDER"
  )]
})

export const keys: Check<Credentials | FileSystem.FileSystem | Path.Path> = { find: findKeys, name: "keys" }

const howToLogIn = "weir auth login openai-codex"

/** What is stored, and who else could read it. */
const findStored = Effect.fnUntraced(function*(home: Home) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(home.data, "credentials.json")
  const info = yield* Effect.option(fs.stat(file))
  if (Option.isNone(info)) return [ok("no key or login is stored")]
  const { get } = yield* Credentials
  const codex = yield* Effect.either(get("openai-codex"))
  if (Either.isLeft(codex)) return [problem(codex.left.message, "Keys can be stored again: weir auth login PROVIDER")]
  const login = Option.getOrUndefined(codex.right)
  const now = yield* Clock.currentTimeMillis
  return [
    (info.value.mode & 0o077) === 0
      ? ok(`${file} can be read by you alone`)
      : problem(`${file} can be read by others`, `chmod 600 ${file}`),
    ...(login?._tag !== "CodexLogin" ? [] : [
      login.expiresAt > now
        ? ok("the login to openai-codex has not expired")
        : warning(
          "the login to openai-codex has expired; it is renewed when it is used next",
          `If that is refused: ${howToLogIn}`
        )
    ])
  ]
})

export const stored = (home: Home): Check<Credentials | FileSystem.FileSystem | Path.Path> => ({
  find: findStored(home),
  name: "stored"
})
