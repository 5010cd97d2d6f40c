/**
 * Who issues logins for the Codex backend. `GET /oauth/authorize` stands for a user who consents at once;
 * `POST /oauth/token` gives tokens for the code (PKCE, RFC 7636), and new ones for a refresh token, which is good for
 * one use.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import { print } from "./Json.js"
import type { Answer, RawRequest } from "./Wire.js"

export interface CodexLogins {
  /** The answer to a request of a login; undefined to any other. `url` is the path with its query. */
  readonly answer: (request: RawRequest, url: string) => Effect.Effect<Answer> | undefined
  /** Whether an access token is still good, which uses it once; undefined for one that was not issued here. */
  readonly use: (token: string | undefined) => boolean | undefined
}

/** What a code is good for. */
interface Consent {
  readonly challenge: string
  readonly clientId: string
  readonly redirectUri: string
}

/** In seconds: ten days. */
const lifetime = 864_000

const refused = (status: number, code: string, message: string): Answer => ({
  body: { error: { code, message, param: null, type: "invalid_request_error" } },
  status
})

const reused = refused(
  401,
  "refresh_token_reused",
  "Your refresh token has already been used to generate a new access token. Please try signing in again."
)

const invalidated = refused(401, "refresh_token_invalidated", "Your session has ended. Please try signing in again.")

const jwt = (claims: object) =>
  `${Encoding.encodeBase64Url("{\"alg\":\"none\"}")}.${Encoding.encodeBase64Url(print(claims))}.simulated`

const challengeOf = (verifier: string) =>
  Effect.map(
    Effect.promise(() => globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))),
    (digest) => Encoding.encodeBase64Url(new Uint8Array(digest))
  )

/** `uses`: how many requests an access token is good for. */
export const make = (uses = Number.POSITIVE_INFINITY): CodexLogins => {
  const consents = new Map<string, Consent>()
  const access = new Map<string, number>()
  const refresh = new Map<string, "good" | "used">()
  let issued = 0

  const authorize = (query: URLSearchParams): Answer => {
    const asked = (name: string) => query.get(name) ?? ""
    const wrong = [
      ...(asked("response_type") === "code" ? [] : ["response_type"]),
      ...(asked("code_challenge_method") === "S256" ? [] : ["code_challenge_method"]),
      ...["client_id", "code_challenge", "redirect_uri", "scope", "state"].filter((name) => asked(name) === "")
    ]
    const redirectUri = asked("redirect_uri")
    if (wrong.length > 0 || !URL.canParse(redirectUri)) {
      return refused(400, "invalid_request", `Missing or invalid: ${[...wrong, redirectUri].join(", ")}`)
    }
    const code = `ac_${consents.size + 1}`
    consents.set(code, { challenge: asked("code_challenge"), clientId: asked("client_id"), redirectUri })
    const location = new URL(redirectUri)
    location.search = new URLSearchParams({ code, scope: asked("scope"), state: asked("state") }).toString()
    return { body: {}, headers: { location: location.href }, status: 302 }
  }

  const issue = Effect.map(Clock.currentTimeMillis, (now): Answer => {
    issued += 1
    const claims = {
      exp: Math.floor(now / 1_000) + lifetime,
      "https://api.openai.com/auth": { chatgpt_account_id: "account-1", chatgpt_plan_type: "plus" },
      jti: String(issued)
    }
    const tokens = { access_token: jwt(claims), id_token: jwt(claims), refresh_token: `refresh-${issued}` }
    access.set(tokens.access_token, uses)
    refresh.set(tokens.refresh_token, "good")
    return { body: { ...tokens, expires_in: lifetime, token_type: "Bearer" }, status: 200 }
  })

  const redeem = Effect.fnUntraced(function*(form: URLSearchParams) {
    const code = form.get("code") ?? ""
    const consent = consents.get(code)
    const isOurs = consent !== undefined && consent.clientId === form.get("client_id") &&
      consent.redirectUri === form.get("redirect_uri") &&
      consent.challenge === (yield* challengeOf(form.get("code_verifier") ?? ""))
    // A code is good for one attempt.
    consents.delete(code)
    return isOurs ? yield* issue : refused(400, "invalid_grant", "Invalid authorization code.")
  })

  const renew = (form: URLSearchParams) => {
    const token = form.get("refresh_token") ?? ""
    const state = refresh.get(token)
    if (state !== "good") return Effect.succeed(state === "used" ? reused : invalidated)
    refresh.set(token, "used")
    return issue
  }

  const grant = (form: URLSearchParams) => {
    if (!form.get("client_id")) return Effect.succeed(refused(400, "invalid_request", "Missing client_id."))
    switch (form.get("grant_type")) {
      case "authorization_code":
        return redeem(form)
      case "refresh_token":
        return renew(form)
      default:
        return Effect.succeed(refused(400, "unsupported_grant_type", "Unsupported grant_type."))
    }
  }

  return {
    answer: ({ body, method, path }, url) => {
      if (method === "GET" && path === "/oauth/authorize") {
        return Effect.sync(() => authorize(new URLSearchParams(url.split("?")[1])))
      }
      return method === "POST" && path === "/oauth/token" ? grant(new URLSearchParams(body)) : undefined
    },
    use: (token = "") => {
      const left = access.get(token)
      if (left === undefined) return undefined
      access.set(token, left - 1)
      return left > 0
    }
  }
}
