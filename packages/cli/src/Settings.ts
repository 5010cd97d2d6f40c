/**
 * What the user has chosen. Flags win over the environment (`WEIR_*`), that over the project's
 * `.weir/config.json`, that over the user's `config.json`.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { PermissionMode } from "@weir/agent/Permission"
import * as Refusal from "@weir/model/Refusal"
import { Thinking } from "@weir/model/Thinking"
import * as ChatDialect from "@weir/openai/ChatDialect"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Address } from "./Address.js"
import * as Environment from "./Environment.js"
import { HeaderLines, Headers } from "./Headers.js"
import type { Home } from "./Home.js"
import * as Project from "./Project.js"
import { ToolRule } from "./ToolRules.js"
import { UsageError } from "./UsageError.js"

export const ProviderName = Schema.Literal(
  "offline",
  "anthropic",
  "openai",
  "google",
  "bedrock",
  "openai-codex",
  "openai-compatible"
)

export const CompactionRequest = Schema.Literal("auto", "isolated", "cached-prefix")

export const Switch = Schema.Literal("on", "off")

export const Tokens = Schema.Int.pipe(Schema.positive())

export const Steps = Schema.Int.pipe(Schema.positive())

/** Zero is for ever. */
export const Seconds = Schema.NonNegativeInt

/** The name of an environment variable. Looks like a key? Then the value was given instead of the name. */
export const VariableName = Schema.String.pipe(
  Schema.filter((text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text), {
    message: () => "Expected the name of an environment variable, not a key"
  })
)

/** What a server of Chat Completions wants differently; known from the address of those that are known. */
export const Dialect = Schema.Literal(...ChatDialect.names)

/** Plain: lines that are added, and nothing drawn twice. */
export const ScreenKind = Schema.Literal("auto", "full", "plain")

const fields = {
  provider: ProviderName,
  model: Schema.NonEmptyString,
  baseUrl: Address,
  dialect: Dialect,
  apiKeyEnv: VariableName,
  headers: Headers,
  contextWindow: Tokens,
  maxOutputTokens: Tokens,
  thinking: Thinking,
  maxSteps: Steps,
  idleTimeout: Seconds,
  autoCompact: Switch,
  compactionRequest: CompactionRequest,
  permissionMode: PermissionMode,
  allow: Schema.Array(ToolRule),
  deny: Schema.Array(ToolRule),
  appendSystemPrompt: Schema.String,
  screen: ScreenKind
}

/** One source's settings; what it does not name is left to the others. */
export const Settings = Schema.partialWith(Schema.Struct(fields), { exact: true })
export type Settings = typeof Settings.Type

/** The settings' names, as the files have them. */
export const names = Struct.keys(fields)
export type Name = typeof names[number]

/** A project's file comes with the repository, so it cannot widen what the agent may do. */
export const ProjectSettings = Schema.partialWith(
  Schema.Struct({
    ...fields,
    permissionMode: Schema.Literal("ask", "read-only").annotations({
      message: ({ actual }) => ({
        message:
          `Expected "ask" | "read-only" (a project cannot allow more; use --permission-mode), actual "${actual}"`,
        override: true
      })
    }),
    allow: Schema.Never.annotations({ message: () => "Expected none (a project cannot allow more; use --allow)" })
  }),
  { exact: true }
)

const numberFromText = Schema.NumberFromString.pipe(Schema.compose(Tokens))

const Lines = Schema.split("\n").pipe(Schema.compose(Schema.Array(ToolRule)))

/** The same out of text, for environment variables. */
export const EnvironmentSettings = Schema.partialWith(
  Schema.Struct({
    ...fields,
    allow: Lines,
    contextWindow: numberFromText,
    deny: Lines,
    headers: HeaderLines,
    idleTimeout: Schema.NumberFromString.pipe(Schema.compose(Seconds)),
    maxOutputTokens: numberFromText,
    maxSteps: numberFromText
  }),
  { exact: true }
)

/** JSON.parse repeats the text around a mistake, which may be a secret. */
const withoutSource = (message: string) => message.replace(/, (\.\.\.)?".*(?= is not valid JSON$)/s, "")

/** A value that is none of several has an issue for each of them: one place, one complaint. */
const issues = (error: ParseResult.ParseError) => {
  const found = ParseResult.ArrayFormatter.formatErrorSync(error).map(({ message, path }) => {
    const [, expected, actual] = /^Expected (.*?)(, actual .*)$/s.exec(message) ?? []
    return { actual, expected, message: withoutSource(message), path: path.map(String).join(".") }
  })
  return Object.values(Arr.groupBy(found, ({ actual = "", message, path }) => `${path}\n${actual || message}`)).map(
    ([first, ...others]) => ({
      message: others.length === 0
        ? first.message
        : `Expected ${[first, ...others].map(({ expected = "" }) => expected).join(" | ")}${first.actual ?? ""}`,
      path: first.path
    })
  )
}

/** What was wrong with one value: expected and found. */
export const complaint = (error: ParseResult.ParseError): string =>
  issues(error).map(({ message }) => message).join("; ")

/** What was wrong, one sentence a place: path, expected, found. */
export const describe = (where: string, error: ParseResult.ParseError, name: (key: string) => string = (key) => key) =>
  new UsageError({
    message: issues(error)
      .map(({ message, path }) => `${where}${path === "" ? "" : ` ${name(path)}`}: ${message}`)
      .join("\n")
  })

/** Every mistake, and no unknown name. */
export const decodeAll = { errors: "all", onExcessProperty: "error" } as const

const unreadable = (file: string, error: Refusal.Refusal) =>
  new UsageError({
    message: `${file} cannot be read: ${Refusal.words(error)}. Check its permissions, or move it away.`
  })

/** None where there is no such file. */
export const readFile = <A, I>(file: string, schema: Schema.Schema<A, I>) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const content = yield* fs.readFileString(file).pipe(
      Effect.asSome,
      Effect.catchTag("SystemError", (error) =>
        error.reason === "NotFound"
          ? Effect.succeedNone
          : unreadable(file, error)),
      Effect.catchTag("BadArgument", (error) => unreadable(file, error))
    )
    if (Option.isNone(content)) return Option.none<A>()
    return yield* Schema.decode(Schema.parseJson(schema), decodeAll)(content.value).pipe(
      Effect.mapBoth({ onFailure: (error) => describe(file, error), onSuccess: Option.some })
    )
  })

/** `maxSteps` as `WEIR_MAX_STEPS`. */
export const variable = (key: string) => `WEIR_${key.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`

const decodeEnvironment = Schema.decodeUnknown(EnvironmentSettings, decodeAll)

const keys = new Map(Object.keys(fields).map((key) => [variable(key), key]))

export const readEnvironment = Effect.gen(function*() {
  const set = yield* Environment.read([...keys.keys()])
  const raw = Object.fromEntries(set.map(({ name, text }) => [keys.get(name), text]))
  return yield* decodeEnvironment(raw).pipe(
    Effect.mapError((error) => describe("environment", error, variable))
  )
})

export interface Loaded {
  readonly settings: Settings
  /** The address stands only in the project's file, which whoever wrote the repository controls. */
  readonly addressFromProject: boolean
}

/** Rules add up: none takes another back. */
const rulesOf = (sources: ReadonlyArray<Settings>): Settings => {
  const allow = sources.flatMap((source) => source.allow ?? [])
  const deny = sources.flatMap((source) => source.deny ?? [])
  return { ...(allow.length > 0 && { allow }), ...(deny.length > 0 && { deny }) }
}

export interface Source {
  readonly kind: "user" | "project" | "environment" | "flag"
  /** The file; variables and flags go by the settings' names. */
  readonly file?: string
  readonly settings: Settings
}

export interface Place {
  readonly home: Home
  readonly cwd: string
}

export const userFile = ({ home }: Place) => Effect.map(Path.Path, (path) => path.join(home.config, "config.json"))

/** What each source says for a working directory, the weakest first. */
export const sources = Effect.fnUntraced(function*(place: Place, flags: Settings) {
  const user = yield* userFile(place)
  const userSettings = yield* readFile(user, Settings)
  const project = Option.getOrUndefined(yield* Project.settingsFile(place.cwd))
  const projectSettings = project === undefined ? Option.none() : yield* readFile(project, ProjectSettings)
  const none = (): Settings => ({})
  return [
    { kind: "user", file: user, settings: Option.getOrElse(userSettings, none) },
    { kind: "project", ...(project && { file: project }), settings: Option.getOrElse(projectSettings, none) },
    { kind: "environment", settings: yield* readEnvironment },
    { kind: "flag", settings: flags }
  ] satisfies ReadonlyArray<Source>
})

/** All sources in one, for a working directory. */
export const load = Effect.fnUntraced(function*({ flags, ...place }: Place & { readonly flags: Settings }) {
  const all = (yield* sources(place, flags)).map(({ kind, settings }) => ({ kind, settings }))
  const merged = all.reduce<Settings>((below, { settings }) => ({ ...below, ...settings }), {})
  const address = all.findLast(({ settings }) => settings.baseUrl !== undefined)
  return {
    settings: { ...merged, ...rulesOf(all.map(({ settings }) => settings)) },
    addressFromProject: address?.kind === "project"
  } satisfies Loaded
})
