/** The model that the settings choose. */
import * as Catalogue from "@weir/catalogue/Catalogue"
import type * as Model from "@weir/model/Model"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "./Address.js"
import * as ProviderKey from "./ProviderKey.js"
import * as ProviderLimits from "./ProviderLimits.js"
import * as Table from "./ProviderTable.js"
import type { Loaded } from "./Settings.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"

export interface Chosen {
  readonly model: Model.Model["Type"]
  /** Lines for standard error, before the turn. */
  readonly notices: ReadonlyArray<string>
}

/** Those that a key alone chooses. */
const implied = Table.all.filter(({ defaultModel }) => defaultModel !== undefined)

const howToConfigure = `Use a real model by setting ${
  implied.map(({ keyVariables: [variable] }) => variable).join(" or ")
}, or with: --provider openai-compatible --base-url URL --model ID`

/** The address that the provider's own variable names. */
const readAddress = Effect.fnUntraced(function*({ address, addressVariable }: Table.Hosted) {
  const given = yield* Effect.option(Config.nonEmptyString(addressVariable))
  if (Option.isNone(given)) return address
  return yield* Schema.decode(Address)(given.value).pipe(
    Effect.mapError((error) => Settings.describe(addressVariable, error))
  )
})

const readAccess = Effect.fnUntraced(function*(host: Table.Hosted, { addressFromProject, settings }: Loaded) {
  const baseUrl = settings.baseUrl ?? (yield* readAddress(host))
  const key = yield* ProviderKey.read(host, settings.apiKeyEnv)
  if (Option.isNone(key) && baseUrl === host.address) {
    return yield* new UsageError({
      message: `There is no key for ${baseUrl}. Set ${host.keyVariables.join(" or ")}, name another variable with ` +
        "--api-key-env, or choose another address with --base-url."
    })
  }
  const withheld = addressFromProject && Option.isSome(key)
  const access: Table.Access = {
    baseUrl,
    ...(settings.headers && { headers: settings.headers }),
    ...(Option.isSome(key) && !withheld && { apiKey: key.value })
  }
  return { access, withheld }
})

/** `why` it was chosen, where the user has not said so. */
const hosted = Effect.fnUntraced(function*(host: Table.Hosted, loaded: Loaded, why = "") {
  const { model = host.defaultModel, thinking } = loaded.settings
  if (model === undefined) {
    return yield* new UsageError({ message: `The provider ${host.name} needs a model: --model ID` })
  }
  const { access, withheld } = yield* readAccess(host, loaded)
  const { baseUrl } = access
  const limits = yield* ProviderLimits.find(host, access, model, loaded.settings)
  const { make } = yield* Effect.promise(host.load)
  return {
    model: make({ ...access, limits, model, provider: host.name, ...(thinking && { thinking }) }),
    notices: [
      ...(loaded.settings.model === undefined || why !== ""
        ? [`Using ${model} of ${host.name}${why}. Choose with --provider and --model.`]
        : []),
      ...(withheld
        ? [
          `The address ${baseUrl} comes from the project's settings, so no key is sent. To send it: ` +
          `--base-url ${baseUrl}`
        ]
        : [])
    ]
  } satisfies Chosen
})

const offline = Effect.fnUntraced(function*(notices: (announcement: string) => ReadonlyArray<string>) {
  const { announcement, make } = yield* Effect.promise(() => import("@weir/offline/OfflineModel"))
  return { model: make(), notices: notices(announcement) } satisfies Chosen
})

/** The first provider with a key that knows the model; any with a key will do when none is named. */
const byKey = Effect.fnUntraced(function*(model: string | undefined) {
  for (const host of implied) {
    const variable = yield* ProviderKey.variable(host)
    if (Option.isNone(variable)) continue
    if (model === undefined || Option.isSome(yield* Catalogue.lookup(host.name, model))) {
      return Option.some({ host, why: `, since ${variable.value} is set` })
    }
  }
  return Option.none<{ readonly host: Table.Hosted; readonly why: string }>()
})

/**
 * Without a choice: what an address, a key or a model with a key imply, else the offline helper, which says so.
 */
export const choose = Effect.fnUntraced(function*(loaded: Loaded) {
  const { apiKeyEnv, baseUrl, model, provider } = loaded.settings
  if (provider === "offline") return yield* offline(() => [])
  const named = Table.all.find(({ name }) => name === provider)
  if (named !== undefined) return yield* hosted(named, loaded)
  if (baseUrl === undefined && apiKeyEnv === undefined) {
    const found = yield* byKey(model)
    if (Option.isSome(found)) return yield* hosted(found.value.host, loaded, found.value.why)
  }
  if (baseUrl !== undefined || model !== undefined || apiKeyEnv !== undefined) {
    return yield* hosted(Table.openAiCompatible, loaded)
  }
  return yield* offline((announcement) => [`${announcement} ${howToConfigure}`])
})
