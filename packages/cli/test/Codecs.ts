/** The codecs of all APIs on one simulator, for tests that need no process. */
import * as AnthropicMessages from "@weir/anthropic/AnthropicMessages"
import * as BedrockConverse from "@weir/bedrock/BedrockConverse"
import * as GoogleGemini from "@weir/google/GoogleGemini"
import type { Limits, Model } from "@weir/model/Model"
import * as OpenAiChat from "@weir/openai/OpenAiChat"
import * as OpenAiResponses from "@weir/openai/OpenAiResponses"
import type { Simulator } from "@weir/simulator/Simulator"
import * as Redacted from "effect/Redacted"

export interface Codec {
  /** As the API is named among those of the command. */
  readonly api: string
  readonly model: (simulator: Simulator["Type"], limits: Limits, id?: string) => Model["Type"]
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
