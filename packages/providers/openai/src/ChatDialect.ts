/**
 * What the hosts and servers of the Chat Completions API want differently: a table, and the only place that knows
 * their names. What is read from a reply needs no row, since every known form is understood from everyone: usage in
 * the choice, reasoning under three names, a prompt that was cut or a window that was exceeded without a word.
 */
import type { Weights } from "@weir/model/Model"
import type { Thinking } from "@weir/model/Thinking"

/** Fields of a request's body. */
export type Fields = Readonly<Record<string, unknown>>

export interface Dialect {
  readonly outputLimitField: "max_completion_tokens" | "max_tokens"
  readonly systemRole: "developer" | "system"
  /** Sent with every request. */
  readonly always: Fields
  /** What asks for that much thinking. A model that cannot think so much, or so little, says so itself. */
  readonly thinking: Readonly<Record<Thinking, Fields>>
  /** What carries the session, so that its requests meet the same prompt cache. */
  readonly session?: { readonly field: string } | { readonly header: string }
  /** Under which name the reasoning that led to calls goes back to its model; `demanded` also where there was none. */
  readonly reasoning?: { readonly field: "reasoning_content" | "reasoning"; readonly demanded: boolean }
  /** `nine`: exactly nine letters and digits. */
  readonly callIds: "common" | "nine"
  /**
   * The arguments of calls are read again whenever they are sent: one call that the model wrote badly would have every
   * later request refused.
   */
  readonly readsArguments: boolean
  /** What an assistant message that only calls says. */
  readonly emptyContent: "" | null
  /** Results of tools must be answered before the user speaks, and replies before they are asked for again. */
  readonly strictOrder: boolean
  /** A history with calls is only taken together with tools. */
  readonly needsTools: boolean
  /** Refuses a request that does not fit with status 400 or 413 and no word. */
  readonly refusesSilently: boolean
  /** The organization and project that the SDK finds in its own variables are meant for it. */
  readonly hasAccounts: boolean
}

const levels = (fields: (level: Exclude<Thinking, "off">) => Fields, off: Fields): Dialect["thinking"] => ({
  off,
  low: fields("low"),
  medium: fields("medium"),
  high: fields("high")
})

const effort = levels((level) => ({ reasoning_effort: level }), { reasoning_effort: "none" })

const template = (on: boolean): Fields => ({ chat_template_kwargs: { enable_thinking: on, thinking: on } })

/** Chat templates differ in the name of the switch, and pass over names that they do not know. */
const templateSwitch = levels(() => template(true), template(false))

const typed = (type: "enabled" | "disabled") => ({ thinking: { type } })
const typeSwitch = levels(() => typed("enabled"), typed("disabled"))

const usageWanted: Fields = { stream_options: { include_usage: true } }

/** What nearly everybody takes. */
const common: Dialect = {
  always: usageWanted,
  callIds: "common",
  emptyContent: "",
  hasAccounts: false,
  needsTools: false,
  outputLimitField: "max_tokens",
  readsArguments: true,
  refusesSilently: false,
  strictOrder: false,
  systemRole: "system",
  thinking: effort
}

const given = (field: "reasoning_content" | "reasoning") => ({ demanded: false, field })
const demanded = (field: "reasoning_content" | "reasoning") => ({ demanded: true, field })

const openAi: Dialect = {
  ...common,
  always: { ...usageWanted, store: false },
  hasAccounts: true,
  outputLimitField: "max_completion_tokens",
  readsArguments: false,
  session: { field: "prompt_cache_key" },
  systemRole: "developer"
}

const table = {
  common,
  openai: openAi,
  azure: {
    ...common,
    outputLimitField: "max_completion_tokens",
    readsArguments: false,
    session: { field: "prompt_cache_key" }
  },
  cerebras: { ...common, outputLimitField: "max_completion_tokens", refusesSilently: true },
  deepseek: {
    ...common,
    reasoning: demanded("reasoning_content"),
    thinking: levels((level) => ({ ...typed("enabled"), reasoning_effort: level }), typed("disabled"))
  },
  fireworks: {
    ...common,
    reasoning: given("reasoning_content"),
    session: { header: "x-session-affinity" }
  },
  groq: { ...common, outputLimitField: "max_completion_tokens", reasoning: given("reasoning") },
  // Stands before APIs that refuse blank texts, and calls without tools.
  litellm: { ...common, emptyContent: null, needsTools: true },
  "llama.cpp": { ...common, reasoning: given("reasoning_content"), thinking: templateSwitch },
  "lm-studio": common,
  // Refuses every field that it does not know; always sends the usage. Only its newest models know more than on and off.
  mistral: {
    ...common,
    always: {},
    callIds: "nine",
    session: { field: "prompt_cache_key" },
    strictOrder: true,
    thinking: levels(() => ({ reasoning_effort: "high" }), { reasoning_effort: "none" })
  },
  moonshot: {
    ...common,
    reasoning: demanded("reasoning_content"),
    session: { field: "prompt_cache_key" },
    thinking: typeSwitch
  },
  nvidia: { ...common, thinking: templateSwitch },
  ollama: { ...common, reasoning: given("reasoning") },
  openrouter: {
    ...common,
    emptyContent: null,
    reasoning: given("reasoning"),
    session: { header: "x-session-id" },
    thinking: levels((level) => ({ reasoning: { effort: level } }), { reasoning: { effort: "none" } })
  },
  qwen: { ...common, thinking: levels(() => ({ enable_thinking: true }), { enable_thinking: false }) },
  sglang: { ...common, reasoning: given("reasoning_content"), thinking: templateSwitch },
  together: {
    ...common,
    thinking: levels(() => ({ reasoning: { enabled: true } }), { reasoning: { enabled: false } })
  },
  vllm: { ...common, reasoning: given("reasoning"), thinking: templateSwitch },
  xai: { ...common, outputLimitField: "max_completion_tokens", session: { header: "x-grok-conv-id" } },
  zai: { ...common, reasoning: given("reasoning_content"), thinking: typeSwitch }
} satisfies Readonly<Record<string, Dialect>>

/** For servers that no address gives away. */
export type Name = keyof typeof table

const isName = (text: string): text is Name => Object.hasOwn(table, text)

export const names: ReadonlyArray<Name> = Object.keys(table).filter(isName)

/** Hosts, each with all that end in it. */
const hosts: ReadonlyArray<readonly [host: string, Name]> = [
  ["api.openai.com", "openai"],
  ["openai.azure.com", "azure"],
  ["services.ai.azure.com", "azure"],
  ["cognitiveservices.azure.com", "azure"],
  ["cerebras.ai", "cerebras"],
  ["deepseek.com", "deepseek"],
  ["fireworks.ai", "fireworks"],
  ["groq.com", "groq"],
  ["mistral.ai", "mistral"],
  ["moonshot.ai", "moonshot"],
  ["moonshot.cn", "moonshot"],
  ["kimi.com", "moonshot"],
  ["api.nvidia.com", "nvidia"],
  ["ollama.com", "ollama"],
  ["openrouter.ai", "openrouter"],
  ["aliyuncs.com", "qwen"],
  ["qwencloudapi.com", "qwen"],
  ["together.ai", "together"],
  ["together.xyz", "together"],
  ["x.ai", "xai"],
  ["z.ai", "zai"],
  ["bigmodel.cn", "zai"]
]

const hostOf = (baseUrl: string) => URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ""

/** The one of the host in the address. */
export const nameOf = (baseUrl: string): Name =>
  hosts.find(([host]) => `.${hostOf(baseUrl)}`.endsWith(`.${host}`))?.[1] ?? "common"

export const of = (baseUrl: string, chosen: Name = nameOf(baseUrl)): Dialect => table[chosen]

export const weights = (dialect: Dialect): Weights => ({
  perCall: 10,
  perEntry: 4,
  perImage: 1500,
  replaysReasoning: dialect.reasoning !== undefined
})
