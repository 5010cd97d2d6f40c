/** Which model the settings and the environment choose, with which limits. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as Catalogue from "@weir/catalogue/Catalogue"
import { userMessage } from "@weir/model/Conversation"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { type Change, type Credential, Credentials } from "../src/Credentials.js"
import * as Provider from "../src/Provider.js"
import type { Settings } from "../src/Settings.js"

type Variables = { readonly [name: string]: string }

type Entrusted = { readonly [provider: string]: Credential }

/** What the user has entrusted to the command. */
const entrusted = (credentials: Entrusted) =>
  Layer.succeed(Credentials, {
    change: <A, E>(provider: string, f: (stored: Option.Option<Credential>) => Effect.Effect<Change<A>, E>) =>
      Effect.map(f(Option.fromNullable(credentials[provider])), ([result]) => result),
    get: (provider) => Effect.succeed(Option.fromNullable(credentials[provider]))
  })

const login: Credential = {
  _tag: "CodexLogin",
  accessToken: Redacted.make("access"),
  accountId: "account",
  expiresAt: 0,
  refreshToken: Redacted.make("refresh")
}

const choose = (
  settings: Settings,
  variables: Variables = {},
  addressFromProject = false,
  credentials: Entrusted = {}
) =>
  Provider.choose({ addressFromProject, settings }).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))),
    Effect.provide(Layer.merge(entrusted(credentials), NodeContext.layer))
  )

const aws = { AWS_ACCESS_KEY_ID: "AKIA", AWS_REGION: "eu-west-1", AWS_SECRET_ACCESS_KEY: "secret" }

/** The key that every provider is asked with, where it takes one. */
const keys: { readonly [name: string]: Variables } = {
  "anthropic": { ANTHROPIC_API_KEY: "k" },
  "bedrock": aws,
  "google": { GEMINI_API_KEY: "k" },
  "openai": { OPENAI_API_KEY: "k" },
  "openai-compatible": { OPENAI_API_KEY: "k" }
}

const logins = { "openai-codex": login }

/** What was chosen: provider, model, address, and what standard error is told. */
const outcome = (
  settings: Settings,
  variables?: Variables,
  addressFromProject?: boolean,
  credentials?: Entrusted
) =>
  Effect.map(choose(settings, variables, addressFromProject, credentials), ({ model, notices }) => ({
    chosen: [model.provider, model.id, model.endpoint],
    notices
  }))

describe("a provider that is named", () => {
  for (const { catalogued, defaultModel, name } of Provider.all) {
    it.effect(`${name} is asked for the model that is named, and nothing is said of it`, () =>
      Effect.gen(function*() {
        const { chosen, notices } = yield* outcome({ model: "m", provider: name }, keys[name], false, logins)
        assert.deepStrictEqual(chosen.slice(0, 2), [name, "m"])
        assert.match(chosen[2] ?? "", /^https:/)
        assert.deepStrictEqual(notices, [])
      }))

    it.effect(`${name} without its key is refused, and the error names what to set`, () =>
      Effect.gen(function*() {
        const { message } = yield* Effect.flip(choose({ model: "m", provider: name }, { AWS_REGION: "eu-west-1" }))
        if (name === "openai-codex") {
          return assert.match(message, /no login for openai-codex\. Log in with: weir auth login openai-codex/)
        }
        assert.match(message, /_API_KEY|AWS_BEARER_TOKEN_BEDROCK/)
        assert.match(message, /--api-key-env/)
      }))

    if (name !== "openai-codex") {
      it.effect(`${name}: the variable that --api-key-env names holds the key, and must be set`, () =>
        Effect.gen(function*() {
          const settings: Settings = { apiKeyEnv: "MINE", model: "m", provider: name }
          yield* choose(settings, { AWS_REGION: "eu-west-1", MINE: "k" })
          const { message } = yield* Effect.flip(choose(settings, { ...keys[name], AWS_REGION: "eu-west-1" }))
          assert.match(message, /MINE is not set/)
        }))
    }

    if (defaultModel !== undefined) {
      it.effect(`${name} without a model: one that the catalogue knows, and one line says which`, () =>
        Effect.gen(function*() {
          assert.isTrue(catalogued)
          assert.isTrue(Option.isSome(yield* Catalogue.lookup(name, defaultModel)))
          const { chosen, notices } = yield* outcome({ provider: name }, keys[name], false, logins)
          assert.strictEqual(chosen[1], defaultModel)
          assert.lengthOf(notices, 1)
          assert.include(notices[0], `Using ${defaultModel} of ${name}. `)
        }))
    }
  }

  it.effect("openai-compatible needs a model", () =>
    Effect.gen(function*() {
      const { message } = yield* Effect.flip(choose({ provider: "openai-compatible" }, keys["openai-compatible"]))
      assert.match(message, /needs a model: --model/)
    }))
})

describe("a dialect", () => {
  it.scoped("that is chosen is spoken, whatever the address", () =>
    Effect.gen(function*() {
      const simulator = yield* Simulator.make({ script: Script.reply("ok") })
      const said = Effect.fnUntraced(function*(settings: Settings) {
        const { model } = yield* choose({ baseUrl: simulator.url, model: "m", ...settings })
        const request = model.start({ entries: [userMessage("hi")], system: "Be brief.", tools: [] })
        yield* Stream.runDrain(request.stream({ maxOutputTokens: 100, sessionId: "s" }))
        return (yield* simulator.requests).at(-1)?.body ?? ""
      })
      assert.include(yield* said({}), "\"max_tokens\":100")
      assert.include(yield* said({ dialect: "openai" }), "\"max_completion_tokens\":100")
    }))
})

describe("an address", () => {
  const addressed = [
    ["anthropic", "ANTHROPIC_BASE_URL"],
    ["openai", "OPENAI_BASE_URL"],
    ["google", "GOOGLE_GEMINI_BASE_URL"],
    ["openai-compatible", "OPENAI_BASE_URL"]
  ] as const
  for (const [provider, variable] of addressed) {
    it.effect(`${provider}: ${variable} is another, --base-url wins, and neither needs a key`, () =>
      Effect.gen(function*() {
        const variables = { [variable]: "https://proxy.example/v1" }
        const settings: Settings = { model: "m", provider }
        assert.strictEqual((yield* outcome(settings, variables)).chosen[2], "https://proxy.example/v1")
        const given = { ...settings, baseUrl: "https://other.example" }
        assert.strictEqual((yield* outcome(given, variables)).chosen[2], "https://other.example")
        const { message } = yield* Effect.flip(choose(settings, { [variable]: "proxy.example" }))
        assert.match(message, new RegExp(`${variable}: Expected an address`))
      }))
  }

  it.effect("bedrock: the region's own, unless another is given", () =>
    Effect.gen(function*() {
      const settings: Settings = { model: "m", provider: "bedrock" }
      const at = (variables: Variables) => Effect.map(outcome(settings, variables), ({ chosen }) => chosen[2])
      assert.strictEqual(yield* at(aws), "https://bedrock-runtime.eu-west-1.amazonaws.com")
      const { AWS_REGION: region, ...others } = aws
      assert.strictEqual(
        yield* at({ ...others, AWS_DEFAULT_REGION: region }),
        "https://bedrock-runtime.eu-west-1.amazonaws.com"
      )
      const own = { ...aws, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: "https://vpce.example" }
      assert.strictEqual(yield* at(own), "https://vpce.example")
      assert.match((yield* Effect.flip(choose(settings, others))).message, /set AWS_REGION/)
      yield* choose(settings, { AWS_PROFILE: "work", AWS_REGION: "eu-west-1" })
    }))

  it.effect("that only the project's settings name gets no key", () =>
    Effect.gen(function*() {
      const settings: Settings = { baseUrl: "https://other.example", model: "m" }
      const { notices } = yield* outcome({ ...settings, provider: "google" }, keys["google"], true)
      assert.match(notices.join(), /no key is sent/)
      const refused = yield* Effect.flip(choose({ ...settings, provider: "bedrock" }, aws, true))
      assert.match(refused.message, /no credentials are sent/)
      const codex = yield* Effect.flip(choose({ ...settings, provider: "openai-codex" }, {}, true, logins))
      assert.match(codex.message, /no login is sent/)
    }))
})

describe("without a choice", () => {
  const implied = [
    [{ ANTHROPIC_API_KEY: "k" }, "anthropic", "ANTHROPIC_API_KEY"],
    [{ OPENAI_API_KEY: "k" }, "openai", "OPENAI_API_KEY"],
    [{ GEMINI_API_KEY: "k" }, "google", "GEMINI_API_KEY"],
    [{ GOOGLE_API_KEY: "k" }, "google", "GOOGLE_API_KEY"],
    [{ AWS_BEARER_TOKEN_BEDROCK: "k", AWS_REGION: "eu-west-1" }, "bedrock", "AWS_BEARER_TOKEN_BEDROCK"],
    [{ ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" }, "anthropic", "ANTHROPIC_API_KEY"]
  ] as const
  for (const [variables, provider, variable] of implied) {
    it.effect(`${Object.keys(variables).join(" and ")}: ${provider}, and one line says so`, () =>
      Effect.gen(function*() {
        const { chosen, notices } = yield* outcome({}, variables)
        assert.strictEqual(chosen[0], provider)
        assert.lengthOf(notices, 1)
        assert.include(notices[0], `of ${provider}, since ${variable} is set. Choose with --provider and --model.`)
      }))
  }

  it.effect("no key: offline, and one line says so and how to configure a real one", () =>
    Effect.gen(function*() {
      const { chosen, notices } = yield* outcome({}, { ...aws, ANTHROPIC_API_KEY: "" })
      assert.strictEqual(chosen[0], "offline")
      assert.match(notices.join(), /offline.*ANTHROPIC_API_KEY.*--provider/)
    }))

  it.effect("a model alone goes to the provider with a key that knows it", () =>
    Effect.gen(function*() {
      const both = { ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k", OPENAI_API_KEY: "k" }
      assert.strictEqual((yield* outcome({ model: "gemini-2.5-pro" }, both)).chosen[0], "google")
      assert.strictEqual((yield* outcome({ model: "claude-opus-5" }, both)).chosen[0], "anthropic")
      assert.strictEqual((yield* outcome({ model: "gpt-5" }, both)).chosen[0], "openai")
      assert.strictEqual((yield* outcome({ model: "nobody's" }, both)).chosen[0], "openai-compatible")
    }))

  it.effect("a login chooses before keys that are set, and a stored key after them", () =>
    Effect.gen(function*() {
      const loggedIn = yield* outcome({}, { ANTHROPIC_API_KEY: "k" }, false, logins)
      assert.strictEqual(loggedIn.chosen[0], "openai-codex")
      assert.match(loggedIn.notices.join(), /since you are logged in\. Choose/)
      const key: Credential = { _tag: "ApiKey", key: Redacted.make("stored") }
      const stored = yield* outcome({}, {}, false, { google: key })
      assert.deepStrictEqual([stored.chosen[0], stored.notices.length], ["google", 1])
      assert.strictEqual(
        (yield* outcome({ model: "m", provider: "google" }, {}, false, { google: key })).chosen[0],
        "google"
      )
    }))

  it.effect("an address means openai-compatible, whatever keys are set", () =>
    Effect.gen(function*() {
      const settings: Settings = { baseUrl: "https://proxy.example/v1", model: "claude-opus-5" }
      const { chosen, notices } = yield* outcome(settings, { ANTHROPIC_API_KEY: "k" })
      assert.strictEqual(chosen[0], "openai-compatible")
      assert.deepStrictEqual(notices, [])
    }))
})

describe("the limits of a model", () => {
  const limits = (settings: Settings, variables?: Variables) =>
    Effect.map(choose(settings, variables), ({ model }) => model.limits)

  const anthropic = (more: Settings) =>
    limits({ model: "claude-sonnet-4-5", provider: "anthropic", ...more }, {
      ANTHROPIC_API_KEY: "k"
    })

  it.effect("are the catalogue's", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* anthropic({}), {
        maxBytes: { limit: 33_554_432, guessed: false },
        maxOutput: 64_000,
        outputCap: 64_000,
        source: "catalogued",
        window: 200_000
      })
    }))

  it.effect("are the catalogue's at another address of the same API, too", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* anthropic({ baseUrl: "https://proxy.example" }), {
        source: "catalogued",
        window: 200_000
      })
    }))

  it.effect("are what the user says: more or less than the catalogue", () =>
    Effect.gen(function*() {
      for (const contextWindow of [50_000, 900_000]) {
        assert.deepInclude(yield* anthropic({ contextWindow }), { source: "declared", window: contextWindow })
      }
      assert.deepInclude(yield* anthropic({ maxOutputTokens: 5_000 }), { maxOutput: 64_000, outputCap: 5_000 })
      const more = yield* anthropic({ maxOutputTokens: 100_000 })
      assert.strictEqual(more.outputCap, 100_000)
      assert.notProperty(more, "maxOutput")
    }))

  const gpt = (settings: Settings) =>
    limits({ baseUrl: "https://openrouter.ai/api/v1", model: "openai/gpt-5", ...settings }, { OPENAI_API_KEY: "k" })

  it.effect("hold a limit on input alone, until the user declares a larger window", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* gpt({}), { maxInput: 272_000, window: 400_000 })
      assert.deepInclude(yield* gpt({ contextWindow: 300_000 }), { maxInput: 272_000, window: 300_000 })
      assert.notProperty(yield* gpt({ contextWindow: 500_000 }), "maxInput")
    }))

  it.effect("of a host that is known by its address are that host's", () =>
    Effect.gen(function*() {
      const at = (baseUrl: string, model: string) => limits({ baseUrl, model }, { OPENAI_API_KEY: "k" })
      assert.deepInclude(yield* at("https://api.groq.com/openai/v1", "llama-3.3-70b-versatile"), {
        maxOutput: 32_768,
        source: "catalogued",
        window: 131_072
      })
      assert.deepInclude(yield* at("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-4.5"), {
        source: "catalogued"
      })
    }))

  it.effect("at an address nobody knows are assumed, whatever the model is called", () =>
    Effect.gen(function*() {
      const unknown = yield* limits({ baseUrl: "https://proxy.example/v1", model: "claude-sonnet-4-5" })
      assert.deepStrictEqual(unknown, { outputCap: 8_192, source: "assumed", window: 128_000 })
    }))
})
