/** The codecs of all APIs on one simulator, for tests that need no process. */
import * as AnthropicMessages from "@weir/anthropic/AnthropicMessages"
import * as BedrockConverse from "@weir/bedrock/BedrockConverse"
import * as GoogleGemini from "@weir/google/GoogleGemini"
import type { Limits, Model } from "@weir/model/Model"
import * as OpenAiChat from "@weir/openai/OpenAiChat"
import * as OpenAiCodex from "@weir/openai/OpenAiCodex"
import * as OpenAiResponses from "@weir/openai/OpenAiResponses"
import type { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export interface Codec {
  /** As the API is named among those of the command. */
  readonly api: string
  readonly model: (simulator: Simulator["Type"], limits: Limits, id?: string) => Model["Type"]
}

const access: OpenAiCodex.CodexAccess = { accessToken: Redacted.make("access"), accountId: "account" }

/** A login that never expires. */
const login: OpenAiCodex.CodexCredentials = {
  current: Effect.succeed(access),
  refresh: () => Effect.succeed(access)
}

const common = (model = "simulated") => ({ model, provider: "sim" })

export const codecs: ReadonlyArray<Codec> = [
  {
    api: "Chat Completions",
    model: ({ url }, limits, id) => OpenAiChat.make({ ...common(id), baseUrl: url, limits })
  },
  {
    api: "OpenAI Responses",
    model: ({ url }, limits, id) => OpenAiResponses.make({ ...common(id), baseUrl: url, limits })
  },
  {
    api: "OpenAI Codex",
    model: ({ origin }, limits, id) =>
      OpenAiCodex.make({ ...common(id), baseUrl: `${origin}/backend-api/codex`, credentials: login, limits })
  },
  {
    api: "Anthropic Messages",
    model: ({ origin }, limits, id) => AnthropicMessages.make({ ...common(id), baseUrl: origin, limits })
  },
  {
    api: "Gemini",
    model: ({ origin }, limits, id) => GoogleGemini.make({ ...common(id), baseUrl: origin, limits })
  },
  {
    api: "Bedrock Converse",
    model: ({ origin }, limits, id) =>
      BedrockConverse.make({
        ...common(id),
        baseUrl: origin,
        credentials: { _tag: "Keys", accessKeyId: "AKIA", secretAccessKey: Redacted.make("secret") },
        limits,
        region: "us-east-1"
      })
  }
]

/** Each API with a model whose prompts it caches; Bedrock goes by the name. */
export const caching: ReadonlyArray<Codec> = codecs.map((codec) => ({
  ...codec,
  model: (simulator, limits) =>
    codec.model(simulator, limits, codec.api === "Bedrock Converse" ? "anthropic.claude-sonnet-4-5" : undefined)
}))
