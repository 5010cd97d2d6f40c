/** The limits of a model: what the user says, else what a server nearby says, else what the catalogue says. */
import * as Catalogue from "@weir/catalogue/Catalogue"
import * as Model from "@weir/model/Model"
import type { Limits } from "@weir/model/Model"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LocalServer from "./LocalServer.js"
import type { Access, Provider } from "./ProviderAccess.js"
import type { Settings } from "./Settings.js"

type Described = Pick<Provider, "catalogued" | "maxBytes" | "name" | "outputCap">

/** At a host that serves others' models its own list counts. A name says nothing at an unknown address. */
const catalogued = ({ catalogued, name }: Described, baseUrl: string, model: string) => {
  const listed = Option.orElse(Catalogue.providerAt(baseUrl), () => catalogued ? Option.some(name) : Option.none())
  return Effect.map(
    Effect.transposeMapOption(listed, (provider) => Catalogue.lookup(provider, model)),
    Option.flatten
  )
}

/** The window that a server nearby tells. */
const served = (address: LocalServer.Address, model: string) =>
  LocalServer.isLocal(address.baseUrl)
    ? Effect.map(LocalServer.ask(address), (answers) => LocalServer.windowOf(answers, model))
    : Effect.succeedNone

export const find = Effect.fnUntraced(function*(
  provider: Described,
  { apiKey, baseUrl }: Pick<Access, "apiKey" | "baseUrl">,
  model: string,
  { contextWindow: declared, headers, maxOutputTokens }: Settings
) {
  const address = { baseUrl, ...(apiKey && { apiKey }), ...(headers && { headers }) }
  const known = Option.getOrUndefined(yield* catalogued(provider, baseUrl, model))
  const told = declared === undefined ? Option.getOrUndefined(yield* served(address, model)) : undefined
  const window = declared ?? told ?? known?.window
  // A user who says more than the catalogue knows of knows better.
  const isMore = (window ?? 0) > (known?.window ?? Infinity)
  const asksMore = (maxOutputTokens ?? 0) > (known?.maxOutput ?? Infinity)
  return {
    outputCap: maxOutputTokens ?? provider.outputCap,
    source: declared !== undefined ? "declared" : window !== undefined ? "catalogued" : "assumed",
    window: window ?? Model.assumedWindow,
    ...(known?.images === false && { images: false }),
    ...(provider.maxBytes !== undefined && { maxBytes: { limit: provider.maxBytes, guessed: false } }),
    ...(known?.maxInput !== undefined && !isMore && { maxInput: known.maxInput }),
    ...(known?.maxOutput !== undefined && !asksMore && { maxOutput: known.maxOutput })
  } satisfies Limits
})
