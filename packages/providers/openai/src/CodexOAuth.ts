/**
 * The login to a ChatGPT subscription: the code that a browser brings back (PKCE, RFC 7636) becomes tokens, and a refresh
 * token becomes new ones. A refresh token is good for one use.
 */
import * as Connection from "@weir/transport/Connection"
import * as Document from "@weir/transport/Document"
import * as ErrorBody from "@weir/transport/ErrorBody"
import * as Redact from "@weir/transport/Redact"
import type { ConnectionFailure, HttpFailure } from "@weir/transport/SdkFetch"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

export const defaultIssuer = "https://auth.openai.com"

/** Where the browser brings the code; the issuer knows no other address. */
export const redirectUri = "http://localhost:1455/auth/callback"

/** The public client that Codex logins belong to. */
const clientId = "app_EMoamEEZ73f0CkXaXp7hrann"

const scope = "openid profile email offline_access"

/** All that a login is worth. */
export interface Tokens {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
  readonly accountId: string
  /** In milliseconds since the epoch. */
  readonly expiresAt: number
  /** The address that issued them, and renews them, unless it is OpenAI's own. */
  readonly issuer?: string
}

/** The issuer does not accept the code or the refresh token: only another login helps. */
export class LoginRejected extends Schema.TaggedError<LoginRejected>("@weir/openai/CodexOAuth/LoginRejected")(
  "LoginRejected",
  { detail: Schema.String }
) {
  override get message() {
    return `The login is not accepted. Log in again. The issuer said: ${this.detail}`
  }
}

/** The issuer could not be asked. */
export class LoginUnavailable extends Schema.TaggedError<LoginUnavailable>("@weir/openai/CodexOAuth/LoginUnavailable")(
  "LoginUnavailable",
  { detail: Schema.String }
) {
  override get message() {
    return `The login could not be checked. Try again later. ${this.detail}`
  }
}

export type LoginError = LoginRejected | LoginUnavailable

const Answer = Schema.parseJson(Schema.Struct({
  access_token: Schema.Redacted(Schema.NonEmptyString),
  refresh_token: Schema.optional(Schema.Redacted(Schema.NonEmptyString)),
  id_token: Schema.optional(Schema.String),
  /** In seconds. */
  expires_in: Schema.optional(Schema.Number)
}))
type Answer = typeof Answer.Type

const Claims = Schema.parseJson(Schema.Struct({
  exp: Schema.optional(Schema.Number),
  "https://api.openai.com/auth": Schema.optional(
    Schema.Struct({ chatgpt_account_id: Schema.optional(Schema.NonEmptyString) })
  )
}))

/** What a token says about itself; whether that is true is the backend's business. */
const claims = (token: string) =>
  Encoding.decodeBase64UrlString(token.split(".")[1] ?? "").pipe(
    Option.getRight,
    Option.flatMap(Schema.decodeOption(Claims))
  )

const accountOf = (token: string): Option.Option<string> =>
  Option.flatMapNullable(claims(token), (found) => found["https://api.openai.com/auth"]?.chatgpt_account_id)

/** The lifetime of a token that comes without one, in milliseconds. */
const assumedLifetime = 3_600_000

const expiry = ({ access_token, expires_in }: Answer, now: number): number =>
  expires_in !== undefined
    ? now + expires_in * 1000
    : Option.match(Option.flatMapNullable(claims(Redacted.value(access_token)), ({ exp }) => exp), {
      onNone: () => now + assumedLifetime,
      onSome: (seconds) => seconds * 1000
    })

const isRejection = (status: number) => status === 400 || status === 401 || status === 403

const toLoginError = (failure: ConnectionFailure | HttpFailure, secrets: ReadonlyArray<Redacted.Redacted>) => {
  if (failure._tag === "ConnectionFailure") {
    return new LoginUnavailable({ detail: `${failure.address}: ${Connection.read(failure.problem).text}` })
  }
  const { messages, texts } = ErrorBody.read(failure.body)
  const said = Redact.make(secrets)((messages.length > 0 ? messages : texts.slice(0, 1)).join(" - ")).slice(0, 600)
  const detail = `HTTP ${failure.status}: ${said || "(nothing)"}`
  return isRejection(failure.status) ? new LoginRejected({ detail }) : new LoginUnavailable({ detail })
}

/** What a new set of tokens may leave out, since it stays as it was. */
type Earlier = Partial<Pick<Tokens, "accountId" | "refreshToken">>

const ask = Effect.fn("CodexOAuth.ask")(function*(
  issuer: string,
  form: Readonly<Record<string, string>>,
  secrets: ReadonlyArray<Redacted.Redacted>,
  earlier: Earlier
): Effect.fn.Return<Tokens, LoginError> {
  const text = yield* Effect.mapError(
    Document.submit(`${issuer}/oauth/token`, { ...form, client_id: clientId }),
    (failure) => toLoginError(failure, secrets)
  )
  const answer = yield* Effect.mapError(
    Schema.decode(Answer)(text),
    () => new LoginUnavailable({ detail: `${issuer} answers with something other than tokens.` })
  )
  const { access_token: accessToken, id_token: idToken = "", refresh_token: refreshToken = earlier.refreshToken } =
    answer
  const accountId = Option.getOrUndefined(
    Option.orElse(accountOf(idToken), () => accountOf(Redacted.value(accessToken)))
  ) ?? earlier.accountId
  if (refreshToken === undefined || accountId === undefined) {
    return yield* new LoginRejected({ detail: "the tokens belong to no ChatGPT account" })
  }
  return {
    accessToken,
    accountId,
    expiresAt: expiry(answer, yield* Clock.currentTimeMillis),
    refreshToken,
    ...(issuer !== defaultIssuer && { issuer })
  }
})

/** New tokens in place of these, whose refresh token is used up then. */
export const refresh = (
  { accountId, issuer = defaultIssuer, refreshToken }: Pick<Tokens, "accountId" | "issuer" | "refreshToken">
): Effect.Effect<Tokens, LoginError> =>
  ask(
    issuer,
    { grant_type: "refresh_token", refresh_token: Redacted.value(refreshToken) },
    [refreshToken],
    { accountId, refreshToken }
  )

/** A login that waits for its code. */
export interface Login {
  /** To be opened in a browser. */
  readonly url: string
  /** Proves that the code comes from this login. */
  readonly state: string
  readonly verifier: Redacted.Redacted
  readonly issuer: string
}

/** Not from `Random`: what guards a login must not be foreseeable. */
const secret = Effect.sync(() => Encoding.encodeBase64Url(globalThis.crypto.getRandomValues(new Uint8Array(32))))

const challengeOf = (verifier: string) =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
    (digest) => Encoding.encodeBase64Url(new Uint8Array(digest))
  )

export const begin = (issuer = defaultIssuer): Effect.Effect<Login> =>
  Effect.gen(function*() {
    const verifier = yield* secret
    const state = yield* secret
    const query = new URLSearchParams({
      client_id: clientId,
      code_challenge: yield* challengeOf(verifier),
      code_challenge_method: "S256",
      codex_cli_simplified_flow: "true",
      id_token_add_organizations: "true",
      originator: "weir",
      redirect_uri: redirectUri,
      response_type: "code",
      scope,
      state
    })
    return { issuer, state, url: `${issuer}/oauth/authorize?${query.toString()}`, verifier: Redacted.make(verifier) }
  })

const queryOf = (address: string): URLSearchParams =>
  URL.canParse(address, redirectUri) ? new URL(address, redirectUri).searchParams : new URLSearchParams()

/** Whether a browser that is sent to this address answers this login. */
export const isAnswer = (address: string, { state }: Login): boolean => queryOf(address).get("state") === state

/** The code in the address that the browser was sent to, given whole or from its path on; or the code itself. */
export const readCode = (address: string, login: Login): Effect.Effect<Redacted.Redacted, LoginRejected> =>
  Effect.suspend(() => {
    // It is no use to anybody without the verifier of this login.
    if (/^[\w.~-]+$/.test(address)) return Effect.succeed(Redacted.make(address))
    const query = queryOf(address)
    const problem = query.get("error_description") ?? query.get("error")
    if (problem !== null) return new LoginRejected({ detail: problem })
    const code = query.get("code")
    if (code === null || code === "") return new LoginRejected({ detail: "the address holds no code" })
    return isAnswer(address, login)
      ? Effect.succeed(Redacted.make(code))
      : new LoginRejected({ detail: "the code belongs to another login" })
  })

/** The tokens for a code. */
export const finish = (
  code: Redacted.Redacted,
  { issuer, verifier }: Login
): Effect.Effect<Tokens, LoginError> =>
  ask(
    issuer,
    {
      code: Redacted.value(code),
      code_verifier: Redacted.value(verifier),
      grant_type: "authorization_code",
      redirect_uri: redirectUri
    },
    [code, verifier],
    {}
  )
