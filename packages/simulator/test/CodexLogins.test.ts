/** The issuer of Codex logins, as a client over HTTP meets it. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { against } from "./Against.js"
import { text, user } from "./ResponsesClient.js"
import { at, json, type Response, sendTo } from "./TestClient.js"

// The example of RFC 7636.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

const asked = {
  client_id: "app_1",
  code_challenge: challenge,
  code_challenge_method: "S256",
  redirect_uri: "http://localhost:1455/auth/callback",
  response_type: "code",
  scope: "openid",
  state: "state-1"
}

/** The answer to a browser that follows no redirect. */
const browse = (query: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const { origin } = yield* Simulator.Simulator
    const client = yield* HttpClient.HttpClient
    const response = yield* client.get(`${origin}/oauth/authorize?${new URLSearchParams(query).toString()}`)
    return { headers: response.headers, status: response.status, text: yield* response.text } satisfies Response
  }).pipe(
    Effect.provide(FetchHttpClient.layer.pipe(
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
    ))
  )

const redirected = Effect.map(browse(asked), ({ headers }) => new URL(headers["location"] ?? "").searchParams)

const token = (form: Readonly<Record<string, string>>) =>
  Effect.flatMap(Simulator.Simulator, ({ origin }) =>
    sendTo(
      `${origin}/oauth/token`,
      HttpBody.text(new URLSearchParams(form).toString(), "application/x-www-form-urlencoded"),
      {}
    ))

const redemption = (code: string) => ({
  client_id: asked.client_id,
  code,
  code_verifier: verifier,
  grant_type: "authorization_code",
  redirect_uri: asked.redirect_uri
})

const renewal = (refreshToken: unknown) => ({
  client_id: asked.client_id,
  grant_type: "refresh_token",
  refresh_token: String(refreshToken)
})

const logIn = Effect.flatMap(redirected, (query) => token(redemption(query.get("code") ?? "")))

const codeOf = (response: Response) => at(json(response), "error", "code")

const ask = (accessToken: unknown) =>
  Effect.flatMap(Simulator.Simulator, ({ origin }) =>
    sendTo(
      `${origin}/backend-api/codex/responses`,
      text({
        include: ["reasoning.encrypted_content"],
        input: [user()],
        model: "sim-1",
        store: false,
        stream: true
      }),
      {
        accept: "text/event-stream",
        authorization: `Bearer ${String(accessToken)}`,
        "chatgpt-account-id": "account-1",
        "openai-beta": "responses=experimental",
        originator: "weir",
        "session-id": "session-1"
      }
    ))

const simulated = (accessTokenUses?: number) => Simulator.layer({ accessTokenUses, script: Script.reply("ok") })

describe("Codex logins", () => {
  against(simulated(), (it) => {
    it.effect("send the browser back with a code, which gives tokens that say whose they are", () =>
      Effect.gen(function*() {
        const query = yield* redirected
        assert.strictEqual(query.get("state"), "state-1")
        const answer = yield* token(redemption(query.get("code") ?? ""))
        assert.strictEqual(answer.status, 200, answer.text)
        const accessToken = at(json(answer), "access_token")
        const claims = Buffer.from(String(accessToken).split(".")[1] ?? "", "base64url").toString()
        assert.include(claims, "\"chatgpt_account_id\":\"account-1\"")
        assert.strictEqual((yield* ask(accessToken)).status, 200)
      }))

    it.effect("give each code one chance", () =>
      Effect.gen(function*() {
        const code = (yield* redirected).get("code") ?? ""
        assert.strictEqual(codeOf(yield* token({ ...redemption(code), code_verifier: "other" })), "invalid_grant")
        assert.strictEqual(codeOf(yield* token(redemption(code))), "invalid_grant")
      }))

    for (
      const [name, form] of [
        ["another address", { redirect_uri: "http://localhost:1/" }],
        ["another client", { client_id: "app_2" }],
        ["a code of nobody", { code: "other" }],
        ["no client", { client_id: "" }],
        ["another grant", { grant_type: "password" }]
      ] as const
    ) {
      it.effect(`refuse ${name}`, () =>
        Effect.gen(function*() {
          const code = (yield* redirected).get("code") ?? ""
          assert.strictEqual((yield* token({ ...redemption(code), ...form })).status, 400)
        }))
    }

    for (const name of Object.keys(asked)) {
      it.effect(`want ${name} from the browser`, () =>
        Effect.gen(function*() {
          const answer = yield* browse({ ...asked, [name]: "" })
          assert.strictEqual(answer.status, 400)
          assert.include(answer.text, name)
        }))
    }

    it.effect("take a refresh token once", () =>
      Effect.gen(function*() {
        const first = at(json(yield* logIn), "refresh_token")
        const renewed = yield* token(renewal(first))
        assert.strictEqual(renewed.status, 200)
        const again = yield* token(renewal(first))
        assert.deepStrictEqual([again.status, codeOf(again)], [401, "refresh_token_reused"])
        assert.strictEqual(codeOf(yield* token(renewal("other"))), "refresh_token_invalidated")
        assert.strictEqual((yield* token(renewal(at(json(renewed), "refresh_token")))).status, 200)
      }))
  })

  it.scoped("give access tokens that expire after so many requests", () =>
    Effect.gen(function*() {
      const login = json(yield* logIn)
      const statuses = yield* Effect.replicateEffect(
        Effect.map(ask(at(login, "access_token")), ({ status }) => status),
        3
      )
      assert.deepStrictEqual(statuses, [200, 200, 401])
      const renewed = json(yield* token(renewal(at(login, "refresh_token"))))
      assert.strictEqual((yield* ask(at(renewed, "access_token"))).status, 200)
    }).pipe(Effect.provide(simulated(2))))
})
