/** Access to the Codex backend out of tokens that are stored somewhere, and replaced there when they have expired. */
import type { ModelError } from "@weir/model/ModelError"
import { AuthenticationFailed, ModelUnavailable } from "@weir/model/ModelError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { LoginError, Tokens } from "./CodexOAuth.js"
import * as CodexOAuth from "./CodexOAuth.js"
import type { CodexAccess, CodexCredentials } from "./OpenAiCodex.js"

/** Where tokens are kept; others may replace them there at any time. */
export interface TokenStore {
  readonly load: Effect.Effect<Option.Option<Tokens>, Error>
  readonly save: (tokens: Tokens) => Effect.Effect<void, Error>
}

export interface Options {
  /** The provider's and the model's name, for errors. */
  readonly provider: string
  readonly model: string
  readonly store: TokenStore
  /** What to do when there is no login, or none that is accepted. */
  readonly howToLogIn: string
  /** The address that issues tokens. */
  readonly issuer?: string
}

/** Tokens are replaced that long before they expire, in milliseconds. */
const margin = 60_000

const isSame = (some: CodexAccess, others: CodexAccess) =>
  Redacted.value(some.accessToken) === Redacted.value(others.accessToken)

const toModelError = ({ howToLogIn, model, provider }: Options, error: LoginError): ModelError =>
  error._tag === "LoginRejected"
    ? new AuthenticationFailed({ detail: `${error.detail}. ${howToLogIn}`, model, provider })
    : new ModelUnavailable({ detail: error.detail, model, provider, reason: "network" })

export const make = (options: Options): Effect.Effect<CodexCredentials> =>
  Effect.map(Effect.makeSemaphore(1), (renewing) => {
    const { howToLogIn, issuer, model, provider, store } = options
    const failed = (detail: string) => new AuthenticationFailed({ detail, model, provider })

    const load = Effect.mapError(store.load, (error) => failed(error.message)).pipe(
      Effect.flatMap(Option.match({
        onNone: () => Effect.fail(failed(`There is no login. ${howToLogIn}`)),
        onSome: Effect.succeed
      }))
    )

    /** Tokens in place of these; others may have replaced them in the meantime. */
    const replace = (tokens: Tokens) =>
      CodexOAuth.refresh(tokens, issuer).pipe(
        Effect.matchEffect({
          onFailure: (error) =>
            Effect.flatMap(load, (stored) =>
              isSame(stored, tokens) ? Effect.fail(toModelError(options, error)) : Effect.succeed(stored)),
          onSuccess: (fresh) =>
            Effect.as(Effect.mapError(store.save(fresh), (error) => failed(error.message)), fresh)
        })
      )

    /** What is stored, once `isStale` no longer holds for it. */
    const renew = (isStale: (tokens: Tokens) => boolean) =>
      renewing.withPermits(1)(
        Effect.flatMap(load, (stored) => isStale(stored) ? replace(stored) : Effect.succeed(stored))
      ).pipe(
        // The old refresh token is used up before the new one is stored: nobody may stop in between.
        Effect.uninterruptible,
        Effect.disconnect
      )

    return {
      current: Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const isStale = ({ expiresAt }: Tokens) => expiresAt - now < margin
        const stored = yield* load
        return isStale(stored) ? yield* renew(isStale) : stored
      }),
      refresh: (refused) => renew((stored) => isSame(stored, refused))
    }
  })
