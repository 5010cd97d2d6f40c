/** What `weir config` tells: every setting's value and where it comes from. Values of headers are never shown. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Session from "@weir/agent/Session"
import { visible, visibleLine } from "@weir/tui/Visible"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import * as Project from "./Project.js"
import * as SettingNames from "./SettingNames.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

/** What counts where no source says anything. */
const defaults: Settings.Settings = {
  allow: [],
  autoCompact: Session.defaults.autoCompact ? "on" : "off",
  compactionRequest: Session.defaults.compactionRequest,
  deny: [],
  idleTimeout: Duration.toSeconds(Session.defaults.idleTimeout),
  maxSteps: Session.defaults.maxSteps,
  permissionMode: Session.defaults.permission,
  screen: "auto"
}

/** Where the default is no value of its own. */
const otherwise: { readonly [Name in Settings.Name]?: string } = {
  apiKeyEnv: "the provider's own",
  appendSystemPrompt: "none",
  baseUrl: "the provider's own",
  contextWindow: "what is known of the model",
  dialect: "by the address",
  headers: "none",
  maxOutputTokens: "the provider's own",
  model: "the provider's own",
  provider: "by the keys that there are",
  thinking: "the provider's own"
}

const Value = Schema.NullOr(Schema.Union(
  Schema.String,
  Schema.Number,
  Schema.Array(Schema.String),
  Schema.Record({ key: Schema.String, value: Schema.String })
))
type Value = typeof Value.Type

/** `name`: the file, the variable, or the option. */
const Origin = Schema.Struct({
  kind: Schema.Literal("default", "user", "project", "environment", "flag"),
  name: Schema.optionalWith(Schema.String, { exact: true })
})
type Origin = typeof Origin.Type

const Line = Schema.Struct({ key: Schema.String, value: Value, sources: Schema.Array(Origin) })
type Line = typeof Line.Type

const Listing = Schema.parseJson(Schema.Struct({ settings: Schema.Array(Line) }))

const hidden = "(hidden)"

const withoutSecrets = (value: NonNullable<Settings.Settings[Settings.Name]>): Value =>
  typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.keys(value).map((name) => [name, hidden]))
    : value

const option = (key: Settings.Name) =>
  key === "headers" ? "--header" : `--${key.replaceAll(/[A-Z]/g, "-$&").toLowerCase()}`

const originOf = ({ file, kind }: Settings.Source, key: Settings.Name): Origin => {
  if (kind === "environment") return { kind, name: Settings.variable(key) }
  return kind === "flag" ? { kind, name: option(key) } : { kind, ...(file !== undefined && { name: file }) }
}

/** Of rules all count, of anything else the strongest. */
const sourcesOf = (key: Settings.Name, sources: ReadonlyArray<Settings.Source>) => {
  const naming = sources.filter(({ settings }) => settings[key] !== undefined)
  return key === "allow" || key === "deny" ? naming : naming.slice(-1)
}

const lineOf = (key: Settings.Name, sources: ReadonlyArray<Settings.Source>): Line => {
  const own = sourcesOf(key, sources)
  const rules = key === "allow" || key === "deny" ? own.flatMap(({ settings }) => settings[key] ?? []) : undefined
  const value = rules ?? own[0]?.settings[key] ?? defaults[key]
  return {
    key,
    sources: own.length > 0 ? own.map((source) => originOf(source, key)) : [{ kind: "default" }],
    value: value === undefined ? null : withoutSecrets(value)
  }
}

/** One text an entry. */
const texts = (value: Value): ReadonlyArray<string> => {
  if (value === null) return []
  if (typeof value !== "object") return [String(value)]
  return Array.isArray(value) ? value : Object.entries(value).map((pair) => pair.join("="))
}

const shownOrigin = (key: Settings.Name, { kind, name }: Origin) => {
  if (kind === "default") return otherwise[key] === undefined ? kind : `${kind}: ${otherwise[key]}`
  return name === undefined ? kind : `${kind}: ${name}`
}

const widest = 40

/** Columns as wide as their texts, but for the few that are long. */
const table = (lines: ReadonlyArray<Line>): string => {
  const rows = lines.map(({ key, sources, value }, at) => ({
    key,
    origin: sources.map((source) => shownOrigin(Settings.names[at] ?? "model", source)).join(", "),
    value: texts(value).map(visibleLine).join(", ") || "-"
  }))
  const width = (of: (row: typeof rows[number]) => string) =>
    Math.min(widest, Math.max(...rows.map((row) => of(row).length)))
  const [keys, values] = [width(({ key }) => key), width(({ value }) => value)]
  return rows.map(({ key, origin, value }) => `${key.padEnd(keys)}  ${value.padEnd(values)}  ${visibleLine(origin)}\n`)
    .join("")
}

interface Asked {
  readonly cwd: Option.Option<string>
  readonly flags: Settings.Settings
}

const place = Effect.fnUntraced(function*(cwd: Option.Option<string>) {
  return { cwd: yield* WorkingDirectory.choose(cwd), home: yield* Home.locate }
})

const unwritable = () => new UsageError({ message: "The settings cannot be written as JSON." })

export const list = Effect.fnUntraced(function*({ cwd, flags, format }: Asked & { readonly format: "text" | "json" }) {
  const { stdout } = yield* Host
  const sources = yield* Settings.sources(yield* place(cwd), flags)
  const settings = Settings.names.map((key) => lineOf(key, sources))
  yield* stdout.write(
    format === "text"
      ? table(settings)
      : `${yield* Effect.mapError(Schema.encode(Listing)({ settings }), unwritable)}\n`
  )
})

/** A value alone, an entry a line. Succeeds with the exit code: 1 when there is neither a value nor a default. */
export const get = Effect.fnUntraced(function*({ cwd, flags, key }: Asked & { readonly key: string }) {
  const { stderr, stdout } = yield* Host
  const name = yield* SettingNames.find(key)
  const { value } = lineOf(name, yield* Settings.sources(yield* place(cwd), flags))
  if (value === null) {
    yield* stderr.write(`weir: ${name} is not set. Default: ${otherwise[name] ?? "none"}.\n`)
    return 1
  }
  const text = texts(value).map((line) => `${line}\n`).join("")
  yield* stdout.write(stdout.isTerminal ? visible(text) : text)
  return 0
})

/** The project's file, as it is or would be: at the repository's root, outside one in the directory itself. */
export const projectFile = Effect.fnUntraced(function*(cwd: string) {
  const path = yield* Path.Path
  const existing = yield* Project.settingsFile(cwd)
  const directories = yield* Project.directories(cwd)
  return Option.getOrElse(existing, () => path.join(directories.at(-1) ?? cwd, ".weir", "config.json"))
})

/** Both files, and whether they are there; what is in them does not matter. */
export const paths = Effect.fnUntraced(function*(cwd: Option.Option<string>) {
  const fs = yield* FileSystem.FileSystem
  const { stdout } = yield* Host
  const here = yield* place(cwd)
  const tell = Effect.fnUntraced(function*(kind: string, file: string) {
    const exists = yield* Effect.orElseSucceed(fs.exists(file), () => false)
    yield* stdout.write(`${kind.padEnd(7)}  ${visibleLine(file)}  (${exists ? "exists" : "does not exist"})\n`)
  })
  yield* tell("user", yield* Settings.userFile(here))
  yield* tell("project", yield* projectFile(here.cwd))
})
