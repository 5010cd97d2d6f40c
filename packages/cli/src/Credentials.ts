/**
 * What this user has entrusted to the command: keys and logins by the names of their providers, in a file that nobody
 * else may read.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { TokenStore } from "@weir/openai/CodexAccount"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"

export const ApiKey = Schema.TaggedStruct("ApiKey", { key: Schema.Redacted(Schema.NonEmptyString) })
export type ApiKey = typeof ApiKey.Type

/** A login to a ChatGPT subscription. */
export const CodexLogin = Schema.TaggedStruct("CodexLogin", {
  accessToken: Schema.Redacted(Schema.NonEmptyString),
  /** Good for one use. */
  refreshToken: Schema.Redacted(Schema.NonEmptyString),
  accountId: Schema.NonEmptyString,
  /** In milliseconds since the epoch. */
  expiresAt: Schema.Number
})
export type CodexLogin = typeof CodexLogin.Type

export const Credential = Schema.Union(ApiKey, CodexLogin)
export type Credential = typeof Credential.Type

/** The file cannot be read or written. */
export class CredentialsFailed extends Schema.TaggedError<CredentialsFailed>("@weir/cli/Credentials/CredentialsFailed")(
  "CredentialsFailed",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The credentials in ${this.file} ${this.problem}. Mend the file, or delete it and log in again.`
  }
}

export class Credentials extends Context.Tag("@weir/cli/Credentials")<Credentials, {
  readonly get: (provider: string) => Effect.Effect<Option.Option<Credential>, CredentialsFailed>
  readonly set: (provider: string, credential: Credential) => Effect.Effect<void, CredentialsFailed>
  /** Whether there was one. */
  readonly remove: (provider: string) => Effect.Effect<boolean, CredentialsFailed>
}>() {}

const Stored = Schema.Record({ key: Schema.String, value: Credential })
type Stored = typeof Stored.Type

const Json = Schema.parseJson(Stored, { space: 2 })

const makeFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const changing = yield* Effect.makeSemaphore(1)
  const failed = (problem: string) => new CredentialsFailed({ file, problem })

  const readText: Effect.Effect<Option.Option<string>, CredentialsFailed> = Effect.matchEffect(
    fs.readFileString(file),
    {
      onFailure: (error) =>
        error._tag === "SystemError" && error.reason === "NotFound"
          ? Effect.succeedNone
          : Effect.fail(failed(`cannot be read (${error.message})`)),
      onSuccess: Effect.succeedSome
    }
  )

  // What a decoder says would quote the secrets.
  const read = Effect.flatMap(
    readText,
    Option.match({
      onNone: () => Effect.succeed<Stored>({}),
      onSome: (text) => Effect.mapError(Schema.decode(Json)(text), () => failed("are damaged"))
    })
  )

  /** The old file stays until the new one is whole. */
  const write = (stored: Stored) =>
    Effect.gen(function*() {
      const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
      yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
      yield* fs.writeFileString(temporary, yield* Schema.encode(Json)(stored), { flag: "wx", mode: 0o600 }).pipe(
        Effect.zipRight(fs.rename(temporary, file)),
        Effect.onError(() => Effect.ignore(fs.remove(temporary)))
      )
    }).pipe(Effect.mapError((error) => failed(`cannot be written (${error.message})`)))

  const change = <A>(f: (stored: Stored) => readonly [A, Stored]) =>
    changing.withPermits(1)(Effect.gen(function*() {
      const [result, stored] = f(yield* read)
      yield* write(stored)
      return result
    }))

  return Credentials.of({
    get: (provider) => Effect.map(read, (stored) => Option.fromNullable(stored[provider])),
    remove: (provider) => change(({ [provider]: removed, ...rest }) => [removed !== undefined, rest]),
    set: (provider, credential) => change((stored) => [undefined, { ...stored, [provider]: credential }])
  })
})

/** `credentials.json` of the data home, for example. Only its owner can read what is written. */
export const layerFile = (file: string): Layer.Layer<Credentials, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(Credentials, makeFile(file))

/** Where a provider's login to ChatGPT is kept. */
export const codexTokens = (credentials: Credentials["Type"], provider: string): TokenStore => ({
  load: Effect.map(
    credentials.get(provider),
    Option.filter((credential) => credential._tag === "CodexLogin")
  ),
  save: ({ accessToken, accountId, expiresAt, refreshToken }) =>
    credentials.set(provider, CodexLogin.make({ accessToken, accountId, expiresAt, refreshToken }))
})
