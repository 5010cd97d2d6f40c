/** AWS Bedrock, which is reached in a region, by whatever AWS takes for the right to it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Credentials } from "@weir/bedrock/Credentials"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Credentials as Stored } from "./Credentials.js"
import * as Environment from "./Environment.js"
import { type Access, addressFrom, type Provider, signOf, storedKey } from "./ProviderAccess.js"
import * as ProviderKey from "./ProviderKey.js"
import type { Loaded } from "./Settings.js"
import { UsageError } from "./UsageError.js"

const name = "bedrock"

const apiKey = ["AWS_BEARER_TOKEN_BEDROCK"]

const regions = ["AWS_REGION", "AWS_DEFAULT_REGION"]

/** Each lets the AWS tools find credentials somewhere else. */
const elsewhere = [
  "AWS_PROFILE",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_SHARED_CREDENTIALS_FILE",
  "AWS_CONFIG_FILE"
]

const hasFiles = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const home = yield* Effect.option(Config.nonEmptyString("HOME"))
  if (Option.isNone(home)) return false
  return yield* Effect.exists(
    ["credentials", "config"],
    (name) => Effect.orElseSucceed(fs.exists(path.join(home.value, ".aws", name)), () => false)
  )
})

const readKeys = Effect.gen(function*() {
  const id = yield* ProviderKey.read(["AWS_ACCESS_KEY_ID"])
  const secret = yield* ProviderKey.read(["AWS_SECRET_ACCESS_KEY"])
  const session = yield* ProviderKey.read(["AWS_SESSION_TOKEN"])
  return Option.zipWith(id, secret, (accessKeyId, secretAccessKey) =>
    Credentials.Keys({
      accessKeyId: Redacted.value(accessKeyId),
      secretAccessKey,
      ...(Option.isSome(session) && { sessionToken: session.value })
    }))
})

interface Found {
  readonly credentials: Credentials
  /** Where they come from. */
  readonly place: string
}

/**
 * An API key comes first, then keys that are set, then what the variables lead the AWS tools to, then a stored key,
 * then what the AWS tools find in their files.
 */
const findCredentials = Effect.fnUntraced(function*(named?: string) {
  const found = (place: string, credentials: Credentials) => Option.some<Found>({ credentials, place })
  const key = yield* ProviderKey.read(apiKey, named)
  if (Option.isSome(key)) return found(`key in ${named ?? apiKey.join()}`, Credentials.ApiKey({ key: key.value }))
  const keys = yield* readKeys
  if (Option.isSome(keys)) return found("keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", keys.value)
  const pointer = yield* Environment.first(elsewhere)
  if (Option.isSome(pointer)) {
    const { name, text } = pointer.value
    return name === "AWS_PROFILE"
      ? found(`AWS profile ${text}`, Credentials.Chain({ profile: text }))
      : found(`the AWS tools, by ${name}`, Credentials.Chain({}))
  }
  const stored = yield* storedKey(name)
  if (Option.isSome(stored)) return found("stored key", Credentials.ApiKey({ key: stored.value }))
  return (yield* hasFiles) ? found("the AWS tools, by ~/.aws", Credentials.Chain({})) : Option.none<Found>()
})

const readCredentials = Effect.fnUntraced(function*(named: string | undefined) {
  const found = yield* findCredentials(named)
  if (Option.isSome(found)) return found.value.credentials
  return yield* new UsageError({
    message: `There are no credentials for Bedrock. Set ${apiKey.join()}, or AWS_ACCESS_KEY_ID and ` +
      "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, name the variable of an API key with --api-key-env, or store an API " +
      `key with: weir auth login ${name}`
  })
})

const readRegion = Effect.gen(function*() {
  const region = yield* Environment.first(regions)
  if (Option.isSome(region)) return region.value.text
  return yield* new UsageError({ message: "Bedrock needs a region: set AWS_REGION, for example to us-east-1." })
})

const access = Effect.fnUntraced(function*({ addressFromProject, settings }: Loaded) {
  const own = Option.getOrUndefined(yield* addressFrom("AWS_ENDPOINT_URL_BEDROCK_RUNTIME"))
  const given = settings.baseUrl ?? own
  if (addressFromProject) {
    return yield* new UsageError({
      message: `The address ${given} comes from the project's settings, so no credentials are sent, and Bedrock ` +
        `answers nobody without. To send them: --base-url ${given}`
    })
  }
  const region = yield* readRegion
  const credentials = yield* readCredentials(settings.apiKeyEnv)
  return {
    baseUrl: given ?? `https://bedrock-runtime.${region}.amazonaws.com`,
    make: (asked) =>
      Effect.map(
        Effect.promise(() => import("@weir/bedrock/BedrockConverse")),
        ({ make }) => make({ ...asked, ...(given !== undefined && { baseUrl: given }), credentials, region })
      ),
    notices: []
  } satisfies Access
})

/** Credentials of an account serve many purposes: only a key for Bedrock itself is a sign that it is wanted. */
export const bedrock: Provider<Stored | FileSystem.FileSystem | Path.Path> = {
  access,
  catalogued: true,
  credential: Effect.map(findCredentials(), Option.map(({ place }) => place)),
  defaultModel: "global.anthropic.claude-sonnet-5-5",
  name,
  outputCap: 64_000,
  sign: signOf(name, apiKey)
}
