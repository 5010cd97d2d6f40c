/** The model that the settings choose. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Catalogue from "@weir/catalogue/Catalogue"
import type { Model } from "@weir/model/Model"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Credentials } from "./Credentials.js"
import type { Provider } from "./ProviderAccess.js"
import { fromKeyed } from "./ProviderAccess.js"
import { bedrock } from "./ProviderBedrock.js"
import { codex } from "./ProviderCodex.js"
import * as ProviderLimits from "./ProviderLimits.js"
import * as Table from "./ProviderTable.js"
import type { Loaded } from "./Settings.js"
import { UsageError } from "./UsageError.js"

export interface Chosen {
  readonly model: Model["Type"]
  /** Lines for standard error, before the turn. */
  readonly notices: ReadonlyArray<string>
}

type Hosted = Provider<Credentials | FileSystem.FileSystem | Path.Path>

const openAiCompatible = fromKeyed(Table.openAiCompatible)

/** In the order in which a login, or a key that is set, chooses. */
export const all: ReadonlyArray<Hosted> = [
  codex,
  fromKeyed(Table.anthropic),
  fromKeyed(Table.openAi),
  fromKeyed(Table.google),
  bedrock,
  openAiCompatible
]

const howToConfigure = "Use a real model by setting ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, by: " +
  "weir auth login PROVIDER, or with: --provider openai-compatible --base-url URL --model ID"

/** The model to ask of a provider. */
export const modelOf = ({ defaultModel, name }: Hosted, { settings: { model = defaultModel } }: Loaded) =>
  Effect.mapError(
    Effect.fromNullable(model),
    () => new UsageError({ message: `The provider ${name} needs a model: --model ID` })
  )

/** `why` it was chosen, where the user has not said so. */
const hosted = Effect.fnUntraced(function*(provider: Hosted, loaded: Loaded, why?: string) {
  const { headers, thinking } = loaded.settings
  const model = yield* modelOf(provider, loaded)
  const access = yield* provider.access(loaded)
  const limits = yield* ProviderLimits.find(provider, access, model, loaded.settings)
  const isOwnChoice = loaded.settings.model === undefined || why !== undefined
  return {
    model: yield* access.make({
      limits,
      model,
      provider: provider.name,
      ...(headers && { headers }),
      ...(thinking && { thinking })
    }),
    notices: [
      ...(isOwnChoice
        ? [`Using ${model} of ${provider.name}${why ? `, since ${why}` : ""}. Choose with --provider and --model.`]
        : []),
      ...access.notices
    ]
  } satisfies Chosen
})

const offline = Effect.fnUntraced(function*(notices: (announcement: string) => ReadonlyArray<string>) {
  const { announcement, make } = yield* Effect.promise(() => import("@weir/offline/OfflineModel"))
  return { model: make(), notices: notices(announcement) } satisfies Chosen
})

/** The first provider with a sign that it is wanted; of a model that is named, it must know it. */
const implied = Effect.fnUntraced(function*(model: string | undefined) {
  for (const provider of all) {
    const sign = yield* provider.sign
    if (Option.isNone(sign) || provider.defaultModel === undefined) continue
    if (model === undefined || Option.isSome(yield* Catalogue.lookup(provider.name, model))) {
      return Option.some({ provider, why: sign.value })
    }
  }
  return Option.none<{ readonly provider: Hosted; readonly why: string }>()
})

interface Picked {
  readonly provider: Hosted
  readonly why?: string
}

/**
 * Without a choice: what an address, a key, or a model with a key imply. None is the offline helper.
 */
export const pick = Effect.fnUntraced(function*({ settings }: Loaded) {
  const { apiKeyEnv, baseUrl, model, provider } = settings
  if (provider === "offline") return Option.none<Picked>()
  const named = all.find(({ name }) => name === provider)
  if (named !== undefined) return Option.some<Picked>({ provider: named })
  if (baseUrl === undefined && apiKeyEnv === undefined) {
    const found = yield* implied(model)
    if (Option.isSome(found)) return Option.some<Picked>(found.value)
  }
  return baseUrl !== undefined || model !== undefined || apiKeyEnv !== undefined
    ? Option.some<Picked>({ provider: openAiCompatible })
    : Option.none<Picked>()
})

/** What `pick` picks; the offline helper says so, unless it is what the user wants. */
export const choose = Effect.fnUntraced(function*(loaded: Loaded) {
  const picked = yield* pick(loaded)
  if (Option.isSome(picked)) return yield* hosted(picked.value.provider, loaded, picked.value.why)
  return yield* offline((announcement) =>
    loaded.settings.provider === "offline" ? [] : [`${announcement} ${howToConfigure}`]
  )
})
