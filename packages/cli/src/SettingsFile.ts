/** Writes one setting into the user's or the project's file. Nothing that could not be read again is ever written. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import * as LockFile from "@weir/session/LockFile"
import * as Redact from "@weir/transport/Redact"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import { KnownSecrets } from "./KnownSecrets.js"
import * as Secrets from "./Secrets.js"
import * as SettingList from "./SettingList.js"
import * as SettingNames from "./SettingNames.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

/** The file cannot be written. */
export class SettingsUnwritten
  extends Schema.TaggedError<SettingsUnwritten>("@weir/cli/SettingsFile/SettingsUnwritten")("SettingsUnwritten", {
    file: Schema.String,
    problem: Schema.String
  })
{
  override get message() {
    return `${this.file} cannot be written; it is as it was. Check free disk space and permissions. (${this.problem})`
  }
}

const Rules = Schema.parseJson(Schema.Array(Schema.String))

const isList = (key: Settings.Name) => key === "allow" || key === "deny"

/** A list is a word each, or an array in JSON. */
const listOf = (words: ReadonlyArray<string>) => {
  const [first = ""] = words
  return words.length === 1 && first.trimStart().startsWith("[")
    ? Effect.orElseSucceed(Schema.decode(Rules)(first), () => words)
    : Effect.succeed(words)
}

/** The value as it stands in the file: of text what a variable of the environment would say. */
const valueOf = Effect.fnUntraced(function*(key: Settings.Name, words: ReadonlyArray<string>) {
  if (words.length === 0) return yield* new UsageError({ message: `Give the value: weir config set ${key} VALUE` })
  if (isList(key)) return yield* listOf(words)
  const [text = "", ...more] = words
  if (more.length > 0) {
    return yield* new UsageError({
      message: `${key}: expected one value, found ${words.length}. Put it in quotes: weir config set ${key} "..."`
    })
  }
  const decoded = yield* Effect.mapError(
    Schema.decodeUnknown(Settings.EnvironmentSettings)({ [key]: text }),
    (error) => {
      const hint = key === "apiKeyEnv" ? `. ${SettingNames.keysGo}` : ""
      return new UsageError({ message: `${key}: ${Settings.complaint(error)}${hint}` })
    }
  )
  return decoded[key]
})

/** Whether a key that is configured, or what looks like one, is in the text. */
const holdsSecret = Effect.fnUntraced(function*(text: string, place: Settings.Place) {
  const loaded = yield* Effect.option(Settings.load({ ...place, flags: {} }))
  if (Option.isSome(loaded)) yield* Secrets.meetSettings(loaded.value.settings)
  yield* Secrets.meet
  const known = yield* KnownSecrets
  return Redact.make([...known])(text) !== text
})

/** Words that may be shown on the screen and stay in the shell's history. */
const checkSecrets = Effect.fnUntraced(function*(
  key: Settings.Name,
  words: ReadonlyArray<string>,
  place: Settings.Place,
  file: string
) {
  if (key === "headers") {
    return yield* new UsageError({
      message: `Headers may be secrets, so they are not taken from a command line. ${SettingNames.keysGo}. ` +
        `Other headers are written into ${file} by hand.`
    })
  }
  if (yield* holdsSecret(words.join("\n"), place)) {
    return yield* new UsageError({
      message: `${key}: the value looks like a key, and settings hold none. ${SettingNames.keysGo}. ` +
        `If it is no key, write it into ${file} by hand.`
    })
  }
})

const Content = Schema.parseJson(
  Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({ message: () => "Expected an object" }),
  { space: 2 }
)

const decodeUser = Schema.decodeUnknown(Settings.Settings, Settings.decodeAll)
const decodeProject = Schema.decodeUnknown(Settings.ProjectSettings, Settings.decodeAll)

/** Through links, so that they stay, also where nothing is at their end yet. */
const target = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* fs.realPath(file).pipe(
    Effect.orElse(() => Effect.map(fs.readLink(file), (link) => path.resolve(path.dirname(file), link))),
    Effect.orElseSucceed(() => file)
  )
})

const readContent = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const left = "It is left as it is: mend it by hand first."
  const text = yield* fs.readFileString(file).pipe(
    Effect.asSome,
    Effect.catchAll((error) =>
      error._tag === "SystemError" && error.reason === "NotFound"
        ? Effect.succeedNone
        : new UsageError({ message: `${file} cannot be read: ${Refusal.words(error)}. ${left}` })
    )
  )
  return yield* Option.match(text, {
    onNone: () => Effect.succeed({}),
    onSome: (json) =>
      Effect.mapError(
        Schema.decode(Content)(json),
        (error) => new UsageError({ message: `${Settings.describe(file, error).message}. ${left}` })
      )
  })
})

/** The old file stays until the new one is whole. */
const write = Effect.fnUntraced(function*(file: string, text: string, mode: number) {
  const fs = yield* FileSystem.FileSystem
  const old = yield* Effect.option(fs.stat(file))
  const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
  const kept = Option.match(old, { onNone: () => mode, onSome: (info) => info.mode & 0o777 })
  yield* fs.writeFileString(temporary, text, { flag: "wx", mode: kept }).pipe(
    Effect.zipRight(Option.isSome(old) ? fs.chmod(temporary, kept) : Effect.void),
    Effect.zipRight(fs.rename(temporary, file)),
    Effect.onError(() => Effect.ignore(fs.remove(temporary)))
  )
})

/** How long one process waits for another that is writing. */
const waiting = Schedule.spaced("20 millis").pipe(Schedule.upTo("10 seconds"))

interface Change {
  readonly file: string
  readonly isProject: boolean
  readonly key: Settings.Name
  readonly value: unknown
}

const change = Effect.fnUntraced(function*({ file, isProject, key, value }: Change) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const real = yield* target(file)
  const failed = (error: { readonly message: string }) =>
    new SettingsUnwritten({ file, problem: Refusal.detail(error) })
  const mode = isProject ? 0o777 : 0o700
  yield* Effect.mapError(fs.makeDirectory(path.dirname(real), { mode, recursive: true }), failed)
  yield* LockFile.acquire(`${real}.lock`, file).pipe(
    Effect.retry({ schedule: waiting, while: ({ reason }) => reason === "locked" }),
    Effect.mapError(({ detail }) => failed({ message: detail }))
  )
  const content = { ...(yield* readContent(real)), [key]: value }
  yield* Effect.mapError(
    Effect.asVoid(isProject ? decodeProject(content) : decodeUser(content)),
    (error) => new UsageError({ message: `${Settings.describe(file, error).message}. Nothing was written.` })
  )
  const text = yield* Effect.mapError(Schema.encode(Content)(content), failed)
  yield* Effect.mapError(write(real, `${text}\n`, isProject ? 0o644 : 0o600), failed)
}, Effect.scoped)

/** What counts instead of what has been written; settings that cannot be read say so when they are used. */
const stronger = Effect.fnUntraced(function*(place: Settings.Place, key: Settings.Name, isProject: boolean) {
  if (isList(key)) return []
  const sources = yield* Effect.orElseSucceed(Settings.sources(place, {}), () => [])
  return sources.filter(({ kind, settings }) => settings[key] !== undefined && kind !== "user")
    .filter(({ kind }) => !(isProject && kind === "project"))
    .map(({ file }) => file ?? Settings.variable(key))
})

export const set = Effect.fnUntraced(function*(asked: {
  readonly cwd: Option.Option<string>
  readonly isProject: boolean
  readonly key: string
  readonly words: ReadonlyArray<string>
}) {
  const { stdout } = yield* Host
  const { isProject, words } = asked
  const key = yield* SettingNames.find(asked.key)
  const place = { cwd: yield* WorkingDirectory.choose(asked.cwd), home: yield* Home.locate }
  const file = isProject ? yield* SettingList.projectFile(place.cwd) : yield* Settings.userFile(place)
  yield* checkSecrets(key, words, place, file)
  yield* change({ file, isProject, key, value: yield* valueOf(key, words) })
  yield* stdout.write(`${key} is set in ${file}\n`)
  const before = yield* stronger(place, key, isProject)
  if (before.length > 0) yield* stdout.write(`What comes before it: ${before.toReversed().join(", ")}.\n`)
})
