/** The login against an issuer of our own. */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as TestClock from "effect/TestClock"
import { createServer } from "node:http"
import * as CodexAccount from "../src/CodexAccount.js"
import * as CodexOAuth from "../src/CodexOAuth.js"

const jwt = (claims: object) => `e30.${Encoding.encodeBase64Url(JSON.stringify(claims))}.sig`

const claimed = (id: string) => ({ "https://api.openai.com/auth": { chatgpt_account_id: id } })

type Form = Readonly<Record<string, string>>

const json = (body: object, status = 200) =>
  HttpServerResponse.text(JSON.stringify(body), { contentType: "application/json", status })

/** An issuer that answers forms; `forms` holds what it was asked. */
const issuer = (answer: (form: Form) => Effect.Effect<HttpServerResponse.HttpServerResponse>) =>
  Effect.gen(function*() {
    const forms = yield* Ref.make<ReadonlyArray<Form>>([])
    const context = yield* Layer.build(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
    const { address, serve } = yield* HttpServer.HttpServer.pipe(Effect.provide(context))
    yield* serve(Effect.gen(function*() {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (request.url !== "/oauth/token") return HttpServerResponse.empty({ status: 404 })
      const form = Object.fromEntries(new URLSearchParams(yield* request.text))
      yield* Ref.update(forms, (all) => [...all, form])
      return yield* answer(form)
    }))
    const url = address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : ""
    return { forms: Ref.get(forms), url }
  })

const answering = (body: object, status = 200) => issuer(() => Effect.succeed(json(body, status)))

const old = { accountId: "acc-1", refreshToken: Redacted.make("refresh-old") }

const reveal = (tokens: CodexOAuth.Tokens) => ({
  ...tokens,
  accessToken: Redacted.value(tokens.accessToken),
  refreshToken: Redacted.value(tokens.refreshToken)
})

describe("A refresh token", () => {
  it.scoped("becomes new tokens", () =>
    Effect.gen(function*() {
      yield* TestClock.adjust("10 seconds")
      const { forms, url } = yield* answering({
        access_token: "access-new",
        expires_in: 3600,
        id_token: jwt(claimed("acc-2")),
        refresh_token: "refresh-new"
      })
      assert.deepStrictEqual(reveal(yield* CodexOAuth.refresh({ ...old, issuer: url })), {
        accessToken: "access-new",
        accountId: "acc-2",
        expiresAt: 3_610_000,
        issuer: url,
        refreshToken: "refresh-new"
      })
      const [form] = yield* forms
      assert.deepInclude(form, { grant_type: "refresh_token", refresh_token: "refresh-old" })
      assert.match(form?.client_id ?? "", /^app_/)
    }))

  it.scoped("stays, with the account, where the answer names no other; the token tells its own end", () =>
    Effect.gen(function*() {
      const { url } = yield* answering({ access_token: jwt({ exp: 1234 }) })
      assert.deepInclude(reveal(yield* CodexOAuth.refresh({ ...old, issuer: url })), {
        accountId: "acc-1",
        expiresAt: 1_234_000,
        refreshToken: "refresh-old"
      })
    }))

  it.scoped("that is not accepted asks for another login, and shows nowhere", () =>
    Effect.gen(function*() {
      const { url } = yield* answering({ error: "invalid_grant", error_description: "No refresh-old here" }, 400)
      const error = yield* Effect.flip(CodexOAuth.refresh({ ...old, issuer: url }))
      assert.strictEqual(error._tag, "LoginRejected")
      assert.include(error.message, "Log in again")
      assert.include(error.message, "[redacted]")
      assert.notInclude(error.message, "refresh-old")
    }))

  it.scoped("is not to blame for an issuer in trouble", () =>
    Effect.gen(function*() {
      const broken = yield* answering({ error: "down" }, 503)
      assert.strictEqual(
        (yield* Effect.flip(CodexOAuth.refresh({ ...old, issuer: broken.url })))._tag,
        "LoginUnavailable"
      )
      const odd = yield* answering({ token: "access-new" })
      const error = yield* Effect.flip(CodexOAuth.refresh({ ...old, issuer: odd.url }))
      assert.strictEqual(error._tag, "LoginUnavailable")
      assert.notInclude(String(error), "access-new")
      const gone = yield* Effect.scoped(answering({}))
      const refused = yield* Effect.flip(CodexOAuth.refresh({ ...old, issuer: gone.url }))
      assert.strictEqual(refused._tag, "LoginUnavailable")
      assert.include(refused.detail, "ECONNREFUSED")
    }))
})

describe("A login", () => {
  it.scoped("is begun in the browser, and finished with the code that proves to belong to it", () =>
    Effect.gen(function*() {
      const { forms, url } = yield* answering({
        access_token: jwt(claimed("acc-1")),
        expires_in: 60,
        refresh_token: "refresh-1"
      })
      const login = yield* CodexOAuth.begin(url)
      const query = Object.fromEntries(new URL(login.url).searchParams)
      assert.isTrue(login.url.startsWith(`${url}/oauth/authorize?`))
      assert.deepInclude(query, {
        code_challenge_method: "S256",
        redirect_uri: "http://localhost:1455/auth/callback",
        response_type: "code",
        scope: "openid profile email offline_access",
        state: login.state
      })
      const code = yield* CodexOAuth.readCode(`/auth/callback?code=abc&state=${login.state}`, login)
      const tokens = yield* CodexOAuth.finish(code, login)
      assert.deepInclude(reveal(tokens), { accountId: "acc-1", expiresAt: 60_000, refreshToken: "refresh-1" })
      const [form] = yield* forms
      assert.deepInclude(form, {
        client_id: query.client_id,
        code: "abc",
        grant_type: "authorization_code",
        redirect_uri: query.redirect_uri
      })
      const verifier = form?.code_verifier ?? ""
      assert.match(verifier, /^[\w-]{43}$/)
      const digest = yield* Effect.promise(() =>
        globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))
      )
      assert.strictEqual(query.code_challenge, Encoding.encodeBase64Url(new Uint8Array(digest)))
    }))

  it.effect("is another one each time", () =>
    Effect.gen(function*() {
      const [first, second] = [yield* CodexOAuth.begin(), yield* CodexOAuth.begin()]
      assert.notStrictEqual(first.state, second.state)
      assert.notStrictEqual(Redacted.value(first.verifier), Redacted.value(second.verifier))
      assert.isTrue(first.url.startsWith("https://auth.openai.com/oauth/authorize?"))
    }))

  it.effect("takes no code of another login, and tells why there is none", () =>
    Effect.gen(function*() {
      const login = yield* CodexOAuth.begin()
      const wrong: ReadonlyArray<readonly [string, RegExp]> = [
        ["/auth/callback?code=abc&state=other", /another login/],
        ["/auth/callback?code=abc", /another login/],
        [`/auth/callback?state=${login.state}`, /no code/],
        ["http://[", /no code/],
        ["/auth/callback?error=access_denied", /access_denied/]
      ]
      for (const [address, reason] of wrong) {
        const error = yield* Effect.flip(CodexOAuth.readCode(address, login))
        assert.match(error.detail, reason)
      }
    }))

  it.scoped("without a ChatGPT account is none", () =>
    Effect.gen(function*() {
      const { url } = yield* answering({ access_token: "opaque", refresh_token: "refresh-1" })
      const login = yield* CodexOAuth.begin(url)
      const error = yield* Effect.flip(CodexOAuth.finish(Redacted.make("abc"), login))
      assert.strictEqual(error._tag, "LoginRejected")
      assert.include(error.detail, "no ChatGPT account")
    }))
})

/** An issuer whose n-th refresh gives `access-n`, and that takes each refresh token once; `hold` delays its answers. */
const rotating = (hold: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function*() {
    const valid = yield* Ref.make(0)
    return yield* issuer((form) =>
      Effect.gen(function*() {
        const number = yield* Ref.get(valid)
        if (form.refresh_token !== `refresh-${number}`) return json({ error: "refresh_token_reused" }, 401)
        yield* Ref.set(valid, number + 1)
        yield* hold
        return json({
          access_token: `access-${number + 1}`,
          expires_in: 3600,
          refresh_token: `refresh-${number + 1}`
        })
      })
    )
  })

const tokens = (number: number, expiresAt = 1_000_000): CodexOAuth.Tokens => ({
  accessToken: Redacted.make(`access-${number}`),
  accountId: "acc-1",
  expiresAt,
  refreshToken: Redacted.make(`refresh-${number}`)
})

const howToLogIn = "Log in again."

/** Tokens that one at a time may change. */
const storing = Effect.fnUntraced(function*(first: Option.Option<CodexOAuth.Tokens>) {
  const stored = yield* SynchronizedRef.make(first)
  const store: CodexAccount.TokenStore = {
    change: (renewed) =>
      SynchronizedRef.modifyEffect(
        stored,
        (now) => Effect.map(renewed(now), (tokens) => [tokens, Option.some(tokens)] as const)
      ),
    load: SynchronizedRef.get(stored)
  }
  return { store, stored }
})

const account = (store: CodexAccount.TokenStore) =>
  CodexAccount.make({ howToLogIn, model: "m-1", provider: "openai-codex", store })

const open = (issuer: string, first: Option.Option<CodexOAuth.Tokens>) =>
  Effect.map(
    storing(Option.map(first, (tokens) => ({ ...tokens, issuer }))),
    ({ store, stored }) => ({ credentials: account(store), stored })
  )

const accessOf = ({ accessToken }: { readonly accessToken: Redacted.Redacted }) => Redacted.value(accessToken)

describe("An account's access", () => {
  it.scoped("is what is stored, until a minute before it expires", () =>
    Effect.gen(function*() {
      const { forms, url } = yield* rotating()
      const { credentials, stored } = yield* open(url, Option.some(tokens(0, 100_000)))
      yield* TestClock.adjust(40_000)
      assert.strictEqual(accessOf(yield* credentials.current), "access-0")
      assert.lengthOf(yield* forms, 0)
      yield* TestClock.adjust(1)
      assert.strictEqual(accessOf(yield* credentials.current), "access-1")
      assert.strictEqual(accessOf(yield* credentials.current), "access-1")
      assert.lengthOf(yield* forms, 1)
      assert.strictEqual(Option.getOrThrow(yield* stored).expiresAt, 3_640_001)
    }))

  it.scoped("is replaced once for all who were refused at the same time", () =>
    Effect.gen(function*() {
      const { forms, url } = yield* rotating()
      const { credentials } = yield* open(url, Option.some(tokens(0)))
      const refused = yield* credentials.current
      const fresh = yield* Effect.all(Array.from({ length: 5 }, () => credentials.refresh(refused)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(new Set(fresh.map(accessOf)), new Set(["access-1"]))
      assert.lengthOf(yield* forms, 1)
    }))

  it.scoped("is taken from the store when somebody else has replaced it", () =>
    Effect.gen(function*() {
      const { forms, url } = yield* rotating()
      const { credentials, stored } = yield* open(url, Option.some(tokens(0)))
      const refused = yield* credentials.current
      yield* SynchronizedRef.set(stored, Option.some(tokens(7)))
      assert.strictEqual(accessOf(yield* credentials.refresh(refused)), "access-7")
      assert.lengthOf(yield* forms, 0)
    }))

  it.scoped("is stored although the request that needed it is interrupted, which waits for nothing", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const answer = yield* Deferred.make<void>()
      const { url } = yield* rotating(
        Effect.zipRight(Deferred.succeed(asked, undefined), Deferred.await(answer))
      )
      const { credentials, stored } = yield* open(url, Option.some(tokens(0)))
      const fiber = yield* Effect.fork(credentials.refresh(tokens(0)))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(accessOf(Option.getOrThrow(yield* stored)), "access-0")
      yield* Deferred.succeed(answer, undefined)
      // Waits until nobody changes it.
      const after = yield* SynchronizedRef.updateAndGetEffect(stored, Effect.succeed)
      assert.strictEqual(accessOf(Option.getOrThrow(after)), "access-1")
    }))

  it.scoped("of another issuer is renewed there, and goes on to be", () =>
    Effect.gen(function*() {
      const { url } = yield* rotating()
      const { credentials, stored } = yield* open(url, Option.some(tokens(0)))
      for (const number of [0, 1]) yield* credentials.refresh(tokens(number))
      const now = Option.getOrThrow(yield* stored)
      assert.deepStrictEqual([accessOf(now), now.issuer], ["access-2", url])
    }))

  it.scoped("is missing without a login, and with one that is not accepted, and says what to do", () =>
    Effect.gen(function*() {
      const { url } = yield* answering({ error: "invalid_grant" }, 400)
      const none = yield* open(url, Option.none())
      assert.deepInclude(yield* Effect.flip(none.credentials.current), {
        _tag: "AuthenticationFailed",
        detail: `There is no login. ${howToLogIn}`
      })
      const { credentials } = yield* open(url, Option.some(tokens(0)))
      const error = yield* Effect.flip(credentials.refresh(tokens(0)))
      assert.deepInclude(error, { _tag: "AuthenticationFailed", provider: "openai-codex" })
      assert.include(error.detail, howToLogIn)
    }))

  it.scoped("may pass as a fault when the issuer cannot be asked", () =>
    Effect.gen(function*() {
      const { url } = yield* answering({ error: "down" }, 503)
      const { credentials } = yield* open(url, Option.some(tokens(0)))
      assert.deepInclude(yield* Effect.flip(credentials.refresh(tokens(0))), {
        _tag: "ModelUnavailable",
        reason: "network"
      })
    }))
})
