/** The providers that take a key at an address, as data. */
import type { Model } from "@weir/model/Model"
import type * as Dialect from "@weir/openai/ChatDialect"
import type * as SdkModel from "@weir/transport/SdkModel"
import type { Settings } from "./Settings.js"

export type Name = Exclude<NonNullable<Settings["provider"]>, "offline">

/** What a codec of the table may be told. */
export interface Options extends SdkModel.Options {
  /** What a server of Chat Completions wants differently, where its address does not say so. */
  readonly dialect?: Dialect.Name
}

export interface Keyed {
  readonly name: Name
  readonly address: string
  /** The variable that may hold another address. */
  readonly addressVariable: string
  /** The variables that may hold the key; the first that is set counts. */
  readonly keyVariables: ReadonlyArray<string>
  /** The output limit to ask for, in tokens. */
  readonly outputCap: number
  /** The largest request body that its API takes, in bytes. */
  readonly maxBytes?: number
  /** Asked when no model is named. A provider without one is not chosen by its key alone. */
  readonly defaultModel?: string
  /** Whether the catalogue lists its models, wherever its API is served. */
  readonly catalogued: boolean
  readonly load: () => Promise<{ readonly make: (options: Options) => Model["Type"] }>
}

/** The output limit to ask for where nothing speaks for a larger one, in tokens. */
const modestOutput = 8_192

export const anthropic: Keyed = {
  name: "anthropic",
  address: "https://api.anthropic.com",
  addressVariable: "ANTHROPIC_BASE_URL",
  keyVariables: ["ANTHROPIC_API_KEY"],
  outputCap: 64_000,
  maxBytes: 32 * 2 ** 20,
  defaultModel: "claude-sonnet-5-5",
  catalogued: true,
  load: () => import("@weir/anthropic/AnthropicMessages")
}

export const openAi: Keyed = {
  name: "openai",
  address: "https://api.openai.com/v1",
  addressVariable: "OPENAI_BASE_URL",
  keyVariables: ["OPENAI_API_KEY"],
  outputCap: modestOutput,
  defaultModel: "gpt-6.2-sol",
  catalogued: true,
  load: () => import("@weir/openai/OpenAiResponses")
}

export const google: Keyed = {
  name: "google",
  address: "https://generativelanguage.googleapis.com",
  addressVariable: "GOOGLE_GEMINI_BASE_URL",
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  outputCap: modestOutput,
  maxBytes: 20 * 2 ** 20,
  defaultModel: "gemini-pro-latest",
  catalogued: true,
  load: () => import("@weir/google/GoogleGemini")
}

export const openAiCompatible: Keyed = {
  name: "openai-compatible",
  address: "https://api.openai.com/v1",
  addressVariable: "OPENAI_BASE_URL",
  keyVariables: ["OPENAI_API_KEY"],
  outputCap: modestOutput,
  catalogued: false,
  load: () => import("@weir/openai/OpenAiChat")
}
