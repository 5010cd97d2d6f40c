/** Whether the configured provider answers, and takes the key: one cheap request, for its list of models if it has one. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Connection from "@weir/transport/Connection"
import * as Document from "@weir/transport/Document"
import * as Headers from "@weir/transport/Headers"
import * as Redact from "@weir/transport/Redact"
import type { ConnectionFailure, HttpFailure } from "@weir/transport/SdkFetch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { Credentials } from "../Credentials.js"
import * as Provider from "../Provider.js"
import type { Access } from "../ProviderAccess.js"
import type { Name } from "../ProviderTable.js"
import * as Settings from "../Settings.js"
import { type Check, type Finding, ok, problem, warning } from "./Finding.js"

/** How long it may take to answer. */
const patience = "5 seconds"

interface Question {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the answer says anything of the key. */
  readonly shows: boolean
}

const trimmed = (address: string, version: RegExp) => address.replace(version, "")

const bearer = (key: string | undefined) => key === undefined ? {} : { authorization: `Bearer ${key}` }

/** In the words of each API. Codex and Bedrock have no list behind this address: any answer shows that they are there. */
const question = (name: Name, { apiKey, baseUrl }: Access): Question => {
  const key = apiKey && Redacted.value(apiKey)
  switch (name) {
    case "anthropic":
      return {
        headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
        shows: true,
        url: `${trimmed(baseUrl, /\/+(?:v1\/*)?$/)}/v1/models?limit=1`
      }
    case "google":
      return {
        headers: key === undefined ? {} : { "x-goog-api-key": key },
        shows: true,
        url: `${trimmed(baseUrl, /\/+(?:v1beta\/*)?$/)}/v1beta/models?pageSize=1`
      }
    case "openai":
    case "openai-compatible":
      return { headers: bearer(key), shows: true, url: `${trimmed(baseUrl, /\/+$/)}/models` }
    case "bedrock":
    case "openai-codex":
      return { headers: {}, shows: false, url: baseUrl }
  }
}

const Served = Schema.parseJson(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) }))

/** A server with one model takes any name for it. */
const unserved = (text: string, model: string) =>
  Effect.map(Effect.option(Schema.decode(Served)(text)), (served) => {
    const ids = Option.match(served, {
      onNone: (): ReadonlyArray<string> => [],
      onSome: ({ data }) => data.map(({ id }) => id)
    })
    return ids.length > 1 && ![model, `${model}:latest`].some((name) => ids.includes(name))
  })

/** Google answers a wrong key with 400. */
const refusesKey = ({ body, status }: HttpFailure) =>
  status === 401 || status === 403 || (status === 400 && body.includes("API_KEY_INVALID"))

interface Asked {
  readonly access: Access
  readonly credential: Option.Option<string>
  readonly model: string
  readonly name: Name
  readonly shows: boolean
  readonly redact: (text: string) => string
}

const placeOf = ({ access, name }: Asked) => `${name} at ${access.baseUrl}`

const keyRefused = (asked: Asked, status: number) => {
  const how = `weir auth login ${asked.name}`
  return asked.access.apiKey === undefined
    ? problem(
      `${placeOf(asked)} wants a key, and none was sent (status ${status})`,
      `Name its variable with --api-key-env, or: ${how}`
    )
    : problem(
      `${placeOf(asked)} does not accept the ${Option.getOrElse(asked.credential, () => "key")} (status ${status})`,
      `Set it anew there, or: ${how}. Is the address the key's own?`
    )
}

const httpFailed = (asked: Asked, failure: HttpFailure): Finding => {
  const { status } = failure
  const place = placeOf(asked)
  if (!asked.shows) return ok(`${place} answers; the first request shows whether the login is accepted`)
  if (refusesKey(failure)) return keyRefused(asked, status)
  if (status === 404 || status === 405) {
    return warning(
      `${place} answers, but has no list of models (status ${status})`,
      "Is the version in --base-url right?"
    )
  }
  if (status === 429) return warning(`${place} answers that it has too many requests, or that the quota is used up`)
  return status >= 500
    ? warning(`${place} answers with status ${status}: it is in trouble of its own`, "Try again later.")
    : warning(`${place} answers with status ${status}`, "Does the address, with its version, belong to this provider?")
}

const unreachable = (asked: Asked, { problem: cause }: ConnectionFailure): Finding =>
  problem(
    `${placeOf(asked)} cannot be reached: ${asked.redact(Connection.read(cause).text)}`,
    "Check the address (--base-url) and the network, or choose another provider with --provider."
  )

const answered = (asked: Asked, text: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function*() {
    const { access, model, name, shows } = asked
    const accepted = shows && access.apiKey !== undefined ? "; the key is accepted" : ""
    const missing = name === "openai-compatible" && (yield* unserved(text, model))
    return [
      ok(`${placeOf(asked)} answers${accepted}`),
      ...(missing
        ? [warning(`the model ${model} is not among those that it lists`, "Choose another with --model, or set model.")]
        : [])
    ]
  })

/** The request itself. */
const ask = Effect.fnUntraced(function*(asked: Asked, { headers, url }: Question, own: Headers.Headers) {
  return yield* Document.get(url, Headers.over(headers, own)).pipe(
    Effect.disconnect,
    Effect.timeoutOption(patience),
    Effect.matchEffect({
      onFailure: (error): Effect.Effect<ReadonlyArray<Finding>> =>
        Effect.succeed([error._tag === "HttpFailure" ? httpFailed(asked, error) : unreachable(asked, error)]),
      onSuccess: Option.match({
        onNone: (): Effect.Effect<ReadonlyArray<Finding>> =>
          Effect.succeed([
            problem(
              `${placeOf(asked)} has not answered within ${patience}`,
              "Check the address (--base-url) and the network, or try again."
            )
          ]),
        onSome: (text) => answered(asked, text)
      })
    })
  )
})

const find = Effect.fnUntraced(function*(loaded: Settings.Loaded, mayAsk: boolean) {
  const picked = yield* Provider.pick(loaded)
  if (Option.isNone(picked)) return [ok("offline, the built-in helper: there is nothing to reach")]
  const { provider, why } = picked.value
  const model = yield* Provider.modelOf(provider, loaded)
  const access = yield* provider.access(loaded)
  const { apiKeyEnv, headers = {} } = loaded.settings
  const chosen = ok(`${provider.name} with ${model}${why === undefined ? "" : `, since ${why}`}`)
  const notices = access.notices.map((text) => warning(text))
  if (!mayAsk) return [chosen, ...notices, ok("not asked, because of --no-network")]
  const asking = question(provider.name, access)
  const asked: Asked = {
    access,
    credential: apiKeyEnv === undefined ? yield* provider.credential : Option.some(`key in ${apiKeyEnv}`),
    model,
    name: provider.name,
    redact: Redact.make([...(access.apiKey ? [access.apiKey] : []), ...Headers.secrets(headers)]),
    shows: asking.shows
  }
  return [chosen, ...notices, ...(yield* ask(asked, asking, headers))]
})

/** What its settings lack is found too: a model, a key, a region. */
export const provider = (
  place: Settings.Place,
  flags: Settings.Settings,
  mayAsk: boolean
): Check<Credentials | FileSystem.FileSystem | Path.Path> => ({
  find: Settings.load({ ...place, flags }).pipe(
    Effect.matchEffect({
      onFailure: () => Effect.succeed<ReadonlyArray<Finding>>([warning("not looked at: the settings cannot be read")]),
      onSuccess: (loaded) =>
        Effect.catchAll(find(loaded, mayAsk), ({ message }) =>
          Effect.succeed<ReadonlyArray<Finding>>([
            problem(message, "Then look again: weir doctor")
          ]))
    })
  ),
  name: "provider"
})
