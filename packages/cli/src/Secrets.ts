/** The keys of every provider that is configured, so that no session records one. */
import * as Redaction from "@weir/session/Redaction"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.js"
import * as Home from "./Home.js"
import * as Table from "./ProviderTable.js"
import { ProviderName } from "./Settings.js"

const keyed = [Table.anthropic, Table.google, Table.openAi, Table.openAiCompatible]

const variables = [
  ...new Set(keyed.flatMap(({ keyVariables }) => keyVariables)),
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN"
]

const fromEnvironment = (names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) => Effect.option(Config.nonEmptyString(name))).pipe(
    Effect.map((found) => found.flatMap(Option.toArray).map((text) => Redacted.make(text.trim())))
  )

const secretsOf = (credential: Credentials.Credential): ReadonlyArray<Redacted.Redacted> =>
  credential._tag === "ApiKey" ? [credential.key] : [credential.accessToken, credential.refreshToken]

/** A file that cannot be read holds none that this process could use. */
const stored = Effect.gen(function*() {
  const home = yield* Home.locate
  const get = (provider: string) =>
    Effect.flatMap(Credentials.Credentials, (credentials) => credentials.get(provider)).pipe(
      Effect.orElseSucceed(() => Option.none<Credentials.Credential>())
    )
  const found = yield* Effect.forEach(ProviderName.literals, get).pipe(
    Effect.provide(Credentials.layerHome(home))
  )
  return found.flatMap(Option.toArray).flatMap(secretsOf)
})

/** Also of a variable that the settings name. */
export const redaction = Effect.fnUntraced(function*(named?: string) {
  const environment = yield* fromEnvironment(named === undefined ? variables : [...variables, named])
  return Redaction.of([...environment, ...(yield* stored)])
})
