/** The model that the settings choose. */
import * as Model from "@weir/model/Model"
import type { Limits } from "@weir/model/Model"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Address } from "./Address.js"
import type { Loaded } from "./Settings.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"

export interface Chosen {
  readonly model: Model.Model["Type"]
  /** Lines for standard error, before the turn. */
  readonly notices: ReadonlyArray<string>
}

/** A provider with an address and a key. */
interface Hosted {
  readonly name: string
  readonly address: string
  /** The variables that may hold another address, and the key. */
  readonly addressVariable?: string
  readonly keyVariable: string
  /** The output limit to ask for, in tokens. */
  readonly outputCap: number
  /** The window of models that are known by name, in tokens. */
  readonly windowOf: (model: string) => number | undefined
  readonly load: () => Promise<{ readonly make: (options: HostedOptions) => Model.Model["Type"] }>
}

interface HostedOptions {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  readonly limits: Limits
  readonly headers?: Readonly<Record<string, string>>
  readonly apiKey?: Redacted.Redacted
}

const openAiCompatible: Hosted = {
  name: "openai-compatible",
  address: "https://api.openai.com/v1",
  keyVariable: "OPENAI_API_KEY",
  outputCap: 8_192,
  windowOf: () => undefined,
  load: () => import("@weir/openai/OpenAiChat")
}

const anthropic: Hosted = {
  name: "anthropic",
  address: "https://api.anthropic.com",
  addressVariable: "ANTHROPIC_BASE_URL",
  keyVariable: "ANTHROPIC_API_KEY",
  outputCap: 64_000,
  windowOf: (model) => model.startsWith("claude-") ? 200_000 : undefined,
  load: () => import("@weir/anthropic/AnthropicMessages")
}

const howToConfigure = "Use a real model with: --provider openai-compatible --base-url URL --model ID " +
  `(key in ${openAiCompatible.keyVariable}, or named by --api-key-env)`

const limits = ({ outputCap, windowOf }: Hosted, model: string, settings: Settings.Settings): Limits => {
  const { contextWindow: declared, maxOutputTokens } = settings
  const catalogued = windowOf(model)
  return {
    outputCap: maxOutputTokens ?? outputCap,
    source: declared !== undefined ? "declared" : catalogued !== undefined ? "catalogued" : "assumed",
    window: declared ?? catalogued ?? Model.assumedWindow
  }
}

/** The key; none when the variable is not set. A variable that was named must be. */
const readKey = Effect.fnUntraced(function*({ keyVariable }: Hosted, named: string | undefined) {
  const variable = named ?? keyVariable
  const given = yield* Effect.option(Config.nonEmptyString(variable))
  if (named !== undefined && Option.isNone(given)) {
    return yield* new UsageError({ message: `The environment variable ${named} is not set, or empty.` })
  }
  const key = Option.map(given, (text) => text.trim())
  if (Option.exists(key, (text) => !/^[!-~]+$/.test(text))) {
    return yield* new UsageError({
      message: `The key in ${variable} holds a space, a line break or another character that no key has. Set it anew.`
    })
  }
  return Option.map(key, (text) => Redacted.make(text))
})

/** The address that the provider's own variable names. */
const readAddress = Effect.fnUntraced(function*({ address, addressVariable }: Hosted) {
  if (addressVariable === undefined) return address
  const given = yield* Effect.option(Config.nonEmptyString(addressVariable))
  if (Option.isNone(given)) return address
  return yield* Schema.decode(Address)(given.value).pipe(
    Effect.mapError((error) => Settings.describe(addressVariable, error))
  )
})

const hosted = Effect.fnUntraced(function*(host: Hosted, { addressFromProject, settings }: Loaded) {
  const { apiKeyEnv, headers, model } = settings
  if (model === undefined) {
    return yield* new UsageError({ message: `The provider ${host.name} needs a model: --model ID` })
  }
  const baseUrl = settings.baseUrl ?? (yield* readAddress(host))
  const key = yield* readKey(host, apiKeyEnv)
  if (Option.isNone(key) && baseUrl === host.address) {
    return yield* new UsageError({
      message: `There is no key for ${baseUrl}. Set ${host.keyVariable}, name another variable with --api-key-env, ` +
        "or choose another address with --base-url."
    })
  }
  const withheld = addressFromProject && Option.isSome(key)
  const { make } = yield* Effect.promise(host.load)
  return {
    model: make({
      baseUrl,
      limits: limits(host, model, settings),
      model,
      provider: host.name,
      ...(headers && { headers }),
      ...(Option.isSome(key) && !withheld && { apiKey: key.value })
    }),
    notices: withheld
      ? [
        `The address ${baseUrl} comes from the project's settings, so no key is sent. To send it: --base-url ${baseUrl}`
      ]
      : []
  } satisfies Chosen
})

const offline = Effect.fnUntraced(function*(notices: (announcement: string) => ReadonlyArray<string>) {
  const { announcement, make } = yield* Effect.promise(() => import("@weir/offline/OfflineModel"))
  return { model: make(), notices: notices(announcement) } satisfies Chosen
})

/** Without a choice: what an address or a model with a key imply, else the offline helper, which says so. */
export const choose = Effect.fnUntraced(function*(loaded: Loaded) {
  const { baseUrl, model, provider } = loaded.settings
  if (provider === "offline") return yield* offline(() => [])
  if (provider === "anthropic") return yield* hosted(anthropic, loaded)
  if (provider !== undefined || baseUrl !== undefined || model !== undefined) {
    return yield* hosted(openAiCompatible, loaded)
  }
  return yield* offline((announcement) => [`${announcement} ${howToConfigure}`])
})
