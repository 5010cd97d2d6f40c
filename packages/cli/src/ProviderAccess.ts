/** How a provider is reached: by a key at an address, or in a way of its own. */
import type { Model } from "@weir/model/Model"
import type { Asked } from "@weir/transport/SdkModel"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Address } from "./Address.js"
import * as Credentials from "./Credentials.js"
import * as Environment from "./Environment.js"
import * as ProviderKey from "./ProviderKey.js"
import type { Keyed, Name } from "./ProviderTable.js"
import type { Loaded } from "./Settings.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"

/** All that is settled before the model is known. */
export interface Access {
  readonly baseUrl: string
  /** What a server nearby may be shown. */
  readonly apiKey?: Redacted.Redacted
  /** Lines for standard error. */
  readonly notices: ReadonlyArray<string>
  /** Loads the codec. */
  readonly make: (asked: Asked) => Effect.Effect<Model["Type"]>
}

export interface Provider<R = never> {
  readonly name: Name
  readonly outputCap: number
  readonly maxBytes?: number
  readonly defaultModel?: string
  readonly catalogued: boolean
  /** What speaks for choosing it, such as `OPENAI_API_KEY is set`. */
  readonly sign: Effect.Effect<Option.Option<string>, UsageError, R>
  readonly access: (loaded: Loaded) => Effect.Effect<Access, UsageError, R>
  /** What would let us in, in words, without any secret. */
  readonly credential: Effect.Effect<Option.Option<string>, UsageError, R>
}

/** The address that a variable names. */
export const addressFrom = Effect.fnUntraced(function*(variable: string) {
  return yield* Effect.transposeMapOption(
    yield* Environment.first([variable]),
    ({ text }) => Effect.mapError(Schema.decode(Address)(text), (error) => Settings.describe(variable, error))
  )
})

/** The key that the user has entrusted to the command. */
export const storedKey = (provider: string) =>
  Effect.mapError(Credentials.storedKey(provider), ({ message }) => new UsageError({ message }))

const readKey = Effect.fnUntraced(function*({ keyVariables, name }: Keyed, named: string | undefined) {
  const key = yield* ProviderKey.read(keyVariables, named)
  return Option.isSome(key) ? key : yield* storedKey(name)
})

const keyed = Effect.fnUntraced(function*(self: Keyed, { addressFromProject, settings }: Loaded) {
  const { address, addressVariable, keyVariables, load } = self
  const baseUrl = settings.baseUrl ?? Option.getOrElse(yield* addressFrom(addressVariable), () => address)
  const key = yield* readKey(self, settings.apiKeyEnv)
  if (Option.isNone(key) && baseUrl === address) {
    return yield* new UsageError({
      message: `There is no key for ${baseUrl}. Set ${keyVariables.join(" or ")}, name another variable with ` +
        `--api-key-env, store a key with: weir auth login ${self.name}, or choose another address with --base-url.`
    })
  }
  const withheld = addressFromProject && Option.isSome(key)
  const credential = Option.isSome(key) && !withheld ? { apiKey: key.value } : {}
  return {
    ...credential,
    baseUrl,
    make: (asked) =>
      Effect.map(
        Effect.promise(load),
        ({ make }) => make({ ...asked, ...credential, baseUrl, ...(settings.dialect && { dialect: settings.dialect }) })
      ),
    notices: withheld
      ? [
        `The address ${baseUrl} comes from the project's settings, so no key is sent. To send it: --base-url ${baseUrl}`
      ]
      : []
  } satisfies Access
})

/** What a key speaks for. */
export const signOf = Effect.fnUntraced(function*(name: string, variables: ReadonlyArray<string>) {
  const variable = yield* ProviderKey.sign(variables)
  return Option.isSome(variable) ? variable : Option.as(yield* storedKey(name), "its key is stored")
})

/** Where a key comes from. */
export const keyOf = Effect.fnUntraced(function*(name: string, variables: ReadonlyArray<string>) {
  const variable = yield* Environment.first(variables)
  return Option.isSome(variable)
    ? Option.some(`key in ${variable.value.name}`)
    : Option.as(yield* storedKey(name), "stored key")
})

/** A provider of the table. */
export const fromKeyed = (self: Keyed): Provider<Credentials.Credentials> => ({
  access: (loaded) => keyed(self, loaded),
  catalogued: self.catalogued,
  credential: keyOf(self.name, self.keyVariables),
  name: self.name,
  outputCap: self.outputCap,
  ...(self.maxBytes !== undefined && { maxBytes: self.maxBytes }),
  sign: signOf(self.name, self.keyVariables),
  ...(self.defaultModel !== undefined && { defaultModel: self.defaultModel })
})
