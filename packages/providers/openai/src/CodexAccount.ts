/** Access to the Codex backend out of tokens that are stored somewhere, and replaced there when they have expired. */
import { AuthenticationFailed, ModelError, ModelUnavailable } from "@weir/model/ModelError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { LoginError, Tokens } from "./CodexOAuth.js"
import * as CodexOAuth from "./CodexOAuth.js"
import type { CodexAccess, CodexCredentials } from "./OpenAiCodex.js"

/** Where tokens are kept. Others, in other processes too, may replace them there at any time but within `change`. */
export interface TokenStore {
  readonly load: Effect.Effect<Option.Option<Tokens>, Error>
  /** Keeps the tokens that come of those that are stored. */
  readonly change: <E>(
    renewed: (stored: Option.Option<Tokens>) => Effect.Effect<Tokens, E>
  ) => Effect.Effect<Tokens, E | Error>
}

export interface Options {
  /** The provider's and the model's name, for errors. */
  readonly provider: string
  readonly model: string
  readonly store: TokenStore
  /** What to do when there is no login, or none that is accepted. */
  readonly howToLogIn: string
}

/** Tokens are replaced that long before they expire, in milliseconds. */
const margin = 60_000

const isSame = (some: CodexAccess, others: CodexAccess) =>
  Redacted.value(some.accessToken) === Redacted.value(others.accessToken)

const isModelError = Schema.is(ModelError)
const isRejected = Schema.is(CodexOAuth.LoginRejected)
const isUnavailable = Schema.is(CodexOAuth.LoginUnavailable)

export const make = (options: Options): CodexCredentials => {
  const { howToLogIn, model, provider, store } = options
  const failed = (detail: string) => new AuthenticationFailed({ detail, model, provider })

  const loggedIn = Option.match({
    onNone: () => Effect.fail(failed(`There is no login. ${howToLogIn}`)),
    onSome: (tokens: Tokens) => Effect.succeed(tokens)
  })

  const toModelError = (error: Error | LoginError | ModelError): ModelError => {
    if (isModelError(error)) return error
    return isUnavailable(error)
      ? new ModelUnavailable({ detail: error.detail, model, provider, reason: "network" })
      : failed(isRejected(error) ? `${error.detail}. ${howToLogIn}` : error.message)
  }

  /** What is stored, once `isStale` no longer holds for it; others may have replaced it in the meantime. */
  const renew = (isStale: (tokens: Tokens) => boolean) =>
    store.change((stored) =>
      Effect.flatMap(
        loggedIn(stored),
        (tokens) => isStale(tokens) ? CodexOAuth.refresh(tokens) : Effect.succeed(tokens)
      )
    ).pipe(
      Effect.mapError(toModelError),
      // The old refresh token is used up before the new one is stored: nobody may stop in between.
      Effect.uninterruptible,
      Effect.disconnect
    )

  return {
    current: Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const isStale = ({ expiresAt }: Tokens) => expiresAt - now < margin
      const stored = yield* store.load.pipe(Effect.mapError(toModelError), Effect.flatMap(loggedIn))
      return isStale(stored) ? yield* renew(isStale) : stored
    }),
    refresh: (refused) => renew((stored) => isSame(stored, refused))
  }
}
