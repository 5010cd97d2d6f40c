import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Catalogue from "../src/Catalogue.js"

const idOf = (provider: string, model: string) =>
  Effect.map(Catalogue.lookup(provider, model), (found) => Option.getOrUndefined(Option.map(found, ({ id }) => id)))

describe("the catalogue's data", () => {
  it.effect("is whole: every model has limits that fit each other and prices that make sense", () =>
    Effect.gen(function*() {
      assert.isAtLeast(Catalogue.providers.length, 30)
      for (const provider of Catalogue.providers) {
        const all = yield* Catalogue.models(provider)
        assert.isNotEmpty(all, provider)
        for (const { id, maxInput, maxOutput, prices, window } of all) {
          const name = `${provider} ${id}`
          assert.isAtLeast(window, 1_000, name)
          assert.isAtMost(window, 20_000_000, name)
          assert.isTrue(maxInput === undefined || (maxInput > 0 && maxInput < window), name)
          assert.isTrue(maxOutput === undefined || maxOutput > 0, name)
          assert.isTrue(prices === undefined || Object.values(prices).every((price) => price < 2_000), name)
        }
      }
    }))

  it.effect("knows the models of every API of its own", () =>
    Effect.gen(function*() {
      for (const provider of ["anthropic", "bedrock", "google", "openai", "openai-codex", "openrouter", "groq"]) {
        assert.include(Catalogue.providers, provider)
      }
      assert.deepStrictEqual(Option.getOrUndefined(yield* Catalogue.lookup("anthropic", "claude-sonnet-4-5")), {
        provider: "anthropic",
        id: "claude-sonnet-4-5",
        window: 200_000,
        maxOutput: 64_000,
        prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
        images: true,
        reasoning: true
      })
    }))

  it.effect("tells the limit on input apart from the window, where there is one", () =>
    Effect.gen(function*() {
      for (const model of ["gpt-5", "gpt-6-sol"]) {
        const { maxInput, maxOutput, window } = yield* Effect.flatten(Catalogue.lookup("openai", model))
        assert.deepStrictEqual([window, maxInput, maxOutput], [400_000, 272_000, 128_000], model)
      }
    }))
})

describe("a model's id", () => {
  const meanings = [
    ["anthropic", "claude-opus-5", "claude-opus-5"],
    ["anthropic", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929"],
    ["anthropic", "claude-opus-5-20260801", "claude-opus-5"],
    ["anthropic", "claude-opus-5@20260801", "claude-opus-5"],
    ["anthropic", "claude-opus-5-latest", "claude-opus-5"],
    ["anthropic", "anthropic/claude-opus-5", "claude-opus-5"],
    ["openai", "gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
    ["openai", "gpt-5-2025-08-07", "gpt-5"],
    ["openai", "ft:gpt-4.1-mini-2025-04-14:team::abc123", "gpt-4.1-mini"],
    ["google", "models/gemini-2.5-pro", "gemini-2.5-pro"],
    ["google", "gemini-2.5-pro-10-2025", "gemini-2.5-pro"],
    ["openrouter", "anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4.5"],
    ["openrouter", "anthropic/claude-sonnet-4.5:nitro", "anthropic/claude-sonnet-4.5"],
    ["bedrock", "us.anthropic.claude-opus-4-7", "us.anthropic.claude-opus-4-7"],
    ["bedrock", "apac.anthropic.claude-opus-4-7", "anthropic.claude-opus-4-7"],
    ["bedrock", "anthropic.claude-sonnet-4-6-20260301-v1:0", "anthropic.claude-sonnet-4-6"],
    [
      "bedrock",
      "arn:aws:bedrock:eu-west-1:123456789012:inference-profile/eu.anthropic.claude-haiku-4-5-20251001-v1:0",
      "anthropic.claude-haiku-4-5-20251001-v1:0"
    ]
  ] as const

  for (const [provider, given, id] of meanings) {
    it.effect(`${given} at ${provider} is ${id}`, () =>
      Effect.map(idOf(provider, given), (found) => assert.strictEqual(found, id)))
  }

  const unknown = [
    ["anthropic", "claude-opus-5-distilled"],
    ["anthropic", "opus"],
    ["anthropic", ""],
    ["anthropic", "constructor"],
    ["openai", "claude-opus-5"],
    ["openrouter", "someone/claude-sonnet-4.5"],
    ["nobody", "claude-opus-5"],
    ["../hosts", "api.openai.com"],
    ["bedrock", "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123"]
  ] as const

  for (const [provider, given] of unknown) {
    it.effect(`"${given}" at ${provider} is not known`, () =>
      Effect.map(idOf(provider, given), (found) => assert.isUndefined(found)))
  }

  it.effect("means itself, for every model", () =>
    Effect.gen(function*() {
      for (const provider of ["anthropic", "bedrock", "openrouter"]) {
        for (const { id } of yield* Catalogue.models(provider)) assert.strictEqual(yield* idOf(provider, id), id)
      }
    }))
})

describe("an address", () => {
  const addresses = [
    ["https://api.openai.com/v1", "openai"],
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://api.groq.com/openai/v1/", "groq"],
    ["https://my-team.openai.azure.com/openai/v1", "azure"],
    ["https://bedrock-runtime.eu-central-1.amazonaws.com", "bedrock"],
    ["https://api.deepseek.com:443", "deepseek"],
    ["https://evil-openrouter.ai/api/v1", undefined],
    ["https://openrouter.ai.evil.example/api/v1", undefined],
    ["http://127.0.0.1:8080/v1", undefined],
    ["http://[::1]:8080/v1", undefined],
    ["no address", undefined]
  ] as const
  for (const [address, provider] of addresses) {
    it(`${address}: ${provider ?? "nobody's"}`, () =>
      assert.strictEqual(Option.getOrUndefined(Catalogue.providerAt(address)), provider))
  }
})
