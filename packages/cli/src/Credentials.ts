/**
 * What this user has entrusted to the command: keys and logins by the names of their providers, in a file that nobody
 * else may read.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import type { TokenStore } from "@weir/openai/CodexAccount"
import type { Tokens } from "@weir/openai/CodexOAuth"
import * as LockFile from "@weir/session/LockFile"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import type * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { Address } from "./Address.js"
import type { Home } from "./Home.js"
import { KnownSecrets } from "./KnownSecrets.js"

export const ApiKey = Schema.TaggedStruct("ApiKey", { key: Schema.Redacted(Schema.NonEmptyString) })
export type ApiKey = typeof ApiKey.Type

/** A login to a ChatGPT subscription. */
export const CodexLogin = Schema.TaggedStruct("CodexLogin", {
  accessToken: Schema.Redacted(Schema.NonEmptyString),
  /** Good for one use. */
  refreshToken: Schema.Redacted(Schema.NonEmptyString),
  accountId: Schema.NonEmptyString,
  /** In milliseconds since the epoch. */
  expiresAt: Schema.Number,
  /** The address that renews it, unless it is OpenAI's own. */
  issuer: Schema.optionalWith(Address, { exact: true })
})
export type CodexLogin = typeof CodexLogin.Type

export const Credential = Schema.Union(ApiKey, CodexLogin)
export type Credential = typeof Credential.Type

const secretsOf = (credential: Credential): ReadonlyArray<Redacted.Redacted> =>
  credential._tag === "ApiKey" ? [credential.key] : [credential.accessToken, credential.refreshToken]

/** The file cannot be read or written. */
export class CredentialsFailed extends Schema.TaggedError<CredentialsFailed>("@weir/cli/Credentials/CredentialsFailed")(
  "CredentialsFailed",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The credentials in ${this.file} ${this.problem}`
  }
}

/** What becomes of a credential, and what the one who changes it gets to know. */
export type Change<A> = readonly [A, Option.Option<Credential>]

export class Credentials extends Context.Tag("@weir/cli/Credentials")<Credentials, {
  readonly get: (provider: string) => Effect.Effect<Option.Option<Credential>, CredentialsFailed>
  /** Keeps what `f` makes of the credential; nobody else changes any, in another process either, while it does. */
  readonly change: <A, E>(
    provider: string,
    f: (stored: Option.Option<Credential>) => Effect.Effect<Change<A>, E>
  ) => Effect.Effect<A, CredentialsFailed | E>
}>() {}

/** Puts a credential in the place of any other. */
export const set = (provider: string, credential: Credential) =>
  Effect.flatMap(
    Credentials,
    ({ change }) => change(provider, () => Effect.succeed([undefined, Option.some(credential)]))
  )

/** Whether there was one. */
export const remove = (provider: string) =>
  Effect.flatMap(
    Credentials,
    ({ change }) => change(provider, (stored) => Effect.succeed([Option.isSome(stored), Option.none()]))
  )

const Stored = Schema.Record({ key: Schema.String, value: Credential })
type Stored = typeof Stored.Type

/** How long one process waits for another. */
const waiting = Schedule.spaced("50 millis").pipe(Schedule.upTo("1 minute"))

const mend = "Mend the file, or delete it and log in again."

const Json = Schema.parseJson(Stored, { space: 2 })

const makeFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const known = yield* KnownSecrets
  const meet = (credential: Credential) => secretsOf(credential).forEach((secret) => MutableHashSet.add(known, secret))
  const changing = yield* Effect.makeSemaphore(1)
  // Closing waits for a change that is under way: a login that is being renewed would be lost.
  yield* Effect.addFinalizer(() => changing.withPermits(1)(Effect.void))
  const failed = (problem: string) => new CredentialsFailed({ file, problem })

  const readText: Effect.Effect<Option.Option<string>, CredentialsFailed> = Effect.matchEffect(
    fs.readFileString(file),
    {
      onFailure: (error) =>
        error._tag === "SystemError" && error.reason === "NotFound"
          ? Effect.succeedNone
          : Effect.fail(failed(`cannot be read (${Refusal.words(error)}). ${mend}`)),
      onSuccess: Effect.succeedSome
    }
  )

  // What a decoder says would quote the secrets.
  const read = Effect.flatMap(
    readText,
    Option.match({
      onNone: () => Effect.succeed<Stored>({}),
      onSome: (text) => Effect.mapError(Schema.decode(Json)(text), () => failed(`are damaged. ${mend}`))
    })
  ).pipe(Effect.tap((stored) => Object.values(stored).forEach(meet)))

  const unwritten = (error: { readonly message: string }) =>
    failed(`cannot be written (${Refusal.detail(error)}). Check free disk space and the directory's permissions.`)

  /** The old file stays until the new one is whole. */
  const write = (stored: Stored) =>
    Effect.gen(function*() {
      const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
      yield* fs.writeFileString(temporary, yield* Schema.encode(Json)(stored), { flag: "wx", mode: 0o600 }).pipe(
        Effect.zipRight(fs.rename(temporary, file)),
        Effect.onError(() => Effect.ignore(fs.remove(temporary)))
      )
    }).pipe(Effect.mapError(unwritten))

  /** Another process holds the lock for as long as a login takes to be renewed. */
  const lock = LockFile.acquire(`${file}.lock`, file).pipe(
    Effect.retry({ schedule: waiting, while: ({ reason }) => reason === "locked" }),
    Effect.mapError((error) =>
      error.reason === "locked"
        ? failed(`are being changed by another process (${error.detail}). Try again later.`)
        : unwritten({ message: error.detail })
    )
  )

  const locked = <A, E>(self: Effect.Effect<A, E>) =>
    Effect.mapError(fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }), unwritten).pipe(
      Effect.zipRight(lock),
      Effect.zipRight(self),
      Effect.scoped,
      changing.withPermits(1),
      Effect.provideService(FileSystem.FileSystem, fs)
    )

  return Credentials.of({
    change: (provider, f) =>
      locked(Effect.gen(function*() {
        const { [provider]: earlier, ...others } = yield* read
        const [result, later] = yield* f(Option.fromNullable(earlier))
        Option.map(later, meet)
        if (Option.getOrUndefined(later) !== earlier) {
          yield* write(Option.isSome(later) ? { ...others, [provider]: later.value } : others)
        }
        return result
      })),
    get: (provider) => Effect.map(read, (stored) => Option.fromNullable(stored[provider]))
  })
})

/** `credentials.json` of the data home, for example. Only its owner can read what is written. */
export const layerFile = (file: string): Layer.Layer<Credentials, never, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(Credentials, makeFile(file))

/** The file among this user's data. */
export const layerHome = (home: Home) =>
  Layer.scoped(Credentials, Effect.flatMap(Path.Path, (path) => makeFile(path.join(home.data, "credentials.json"))))

/** The key that is kept for a provider. */
export const storedKey = (provider: string) =>
  Effect.flatMap(Credentials, ({ get }) =>
    Effect.map(
      get(provider),
      Option.filterMap((credential) => credential._tag === "ApiKey" ? Option.some(credential.key) : Option.none())
    ))

const loginOf = (stored: Option.Option<Credential>): Option.Option<CodexLogin> =>
  Option.filter(stored, (credential) => credential._tag === "CodexLogin")

export const toLogin = (tokens: Tokens): CodexLogin => CodexLogin.make(tokens)

/** Where a provider's login to ChatGPT is kept. */
export const codexTokens = (credentials: Credentials["Type"], provider: string): TokenStore => ({
  change: (renewed) =>
    credentials.change(provider, (stored) =>
      Effect.map(renewed(loginOf(stored)), (tokens): Change<Tokens> => [
        tokens,
        Option.filter(stored, (same) => same === tokens).pipe(Option.orElseSome(() => toLogin(tokens)))
      ])),
  load: Effect.map(credentials.get(provider), loginOf)
})
