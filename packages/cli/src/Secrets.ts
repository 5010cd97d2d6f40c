/** The keys of every provider that is configured, so that nothing records one. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Redaction from "@weir/session/Redaction"
import * as Headers from "@weir/transport/Headers"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.js"
import * as Environment from "./Environment.js"
import * as Home from "./Home.js"
import { KnownSecrets } from "./KnownSecrets.js"
import * as Table from "./ProviderTable.js"
import type { Settings } from "./Settings.js"

const keyed = [Table.anthropic, Table.google, Table.openAi, Table.openAiCompatible]

const variables = [
  ...new Set(keyed.flatMap(({ keyVariables }) => keyVariables)),
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CONTAINER_AUTHORIZATION_TOKEN"
]

const fromEnvironment = (names: ReadonlyArray<string>) =>
  Effect.map(Environment.read(names), (set) => set.map(({ text }) => Redacted.make(text.trim())))

/** Reading them makes them known. A file that cannot be read holds none that this process could use. */
const meetStored = Effect.gen(function*() {
  const home = yield* Home.locate
  const get = ({ get }: Credentials.Credentials["Type"]) => Effect.ignore(get("openai-codex"))
  yield* Effect.provide(Effect.flatMap(Credentials.Credentials, get), Credentials.layerHome(home))
})

/** What the AWS tools take from their files, for any profile: each of both may hold keys. */
const fromAwsFiles = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const home = Config.nonEmptyString("HOME")
  const read = (variable: string, name: string) =>
    Config.nonEmptyString(variable).pipe(
      Effect.orElse(() => Effect.map(home, (home) => path.join(home, ".aws", name))),
      Effect.flatMap((file) => fs.readFileString(file)),
      Effect.orElseSucceed(() => "")
    )
  const texts = [
    yield* read("AWS_SHARED_CREDENTIALS_FILE", "credentials"),
    yield* read("AWS_CONFIG_FILE", "config")
  ]
  const lines = texts.join("\n").matchAll(/^\s*aws_(?:secret_access_key|session_token)\s*=\s*(\S+)/gm)
  return Array.from(lines, ([, secret = ""]) => Redacted.make(secret))
})

const add = (secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.map(KnownSecrets, (known) => secrets.forEach((secret) => MutableHashSet.add(known, secret)))

/** What settings lead to: the variable that they name, and headers. */
export const meetSettings = ({ apiKeyEnv, headers }: Settings) =>
  Effect.zipRight(
    add(Headers.secrets(headers)),
    apiKeyEnv === undefined ? Effect.void : Effect.flatMap(fromEnvironment([apiKeyEnv]), add)
  )

/** Makes all others known. */
export const meet = Effect.gen(function*() {
  yield* add(yield* fromEnvironment(variables))
  yield* add(yield* fromAwsFiles)
  yield* meetStored
})

/** Also of what becomes known later. */
export const redaction = Effect.zipRight(meet, Effect.map(KnownSecrets, Redaction.of))
