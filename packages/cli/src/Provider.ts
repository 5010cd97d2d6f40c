/** The model that the settings choose. */
import * as Model from "@weir/model/Model"
import type { Limits } from "@weir/model/Model"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Loaded } from "./Settings.js"
import { UsageError } from "./UsageError.js"

export interface Chosen {
  readonly model: Model.Model["Type"]
  /** Lines for standard error, before the turn. */
  readonly notices: ReadonlyArray<string>
}

const openAi = { address: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" }

const defaultOutputCap = 8_192

const howToConfigure = "Use a real model with: --provider openai-compatible --base-url URL --model ID " +
  `(key in ${openAi.keyVariable}, or named by --api-key-env)`

const limits = ({ contextWindow, maxOutputTokens }: Loaded["settings"]): Limits => ({
  outputCap: maxOutputTokens ?? defaultOutputCap,
  source: contextWindow === undefined ? "assumed" : "declared",
  window: contextWindow ?? Model.assumedWindow
})

/** The key; none when the variable is not set. A variable that was named must be. */
const readKey = Effect.fnUntraced(function*(named: string | undefined) {
  const key = yield* Effect.option(Config.redacted(Config.nonEmptyString(named ?? openAi.keyVariable)))
  if (named !== undefined && Option.isNone(key)) {
    return yield* new UsageError({ message: `The environment variable ${named} is not set, or empty.` })
  }
  return key
})

const openAiCompatible = Effect.fnUntraced(function*({ addressFromProject, settings }: Loaded) {
  const { apiKeyEnv, baseUrl = openAi.address, headers, model } = settings
  if (model === undefined) {
    return yield* new UsageError({ message: "The provider openai-compatible needs a model: --model ID" })
  }
  const key = yield* readKey(apiKeyEnv)
  if (Option.isNone(key) && baseUrl === openAi.address) {
    return yield* new UsageError({
      message: `There is no key for ${baseUrl}. Set ${openAi.keyVariable}, name another variable with --api-key-env, ` +
        "or choose another address with --base-url."
    })
  }
  const withheld = addressFromProject && Option.isSome(key)
  const { make } = yield* Effect.promise(() => import("@weir/openai/OpenAiChat"))
  return {
    model: make({
      baseUrl,
      limits: limits(settings),
      model,
      provider: "openai-compatible",
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
  if (provider === "openai-compatible") return yield* openAiCompatible(loaded)
  if (provider === "offline") return yield* offline(() => [])
  if (baseUrl !== undefined || model !== undefined) return yield* openAiCompatible(loaded)
  return yield* offline((announcement) => [`${announcement} ${howToConfigure}`])
})
