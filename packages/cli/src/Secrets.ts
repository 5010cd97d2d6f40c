/** The keys of every provider that is configured, so that no session records one. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Redaction from "@weir/session/Redaction"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Redacted from "effect/Redacted"
import * as Credentials from "./Credentials.js"
import * as Environment from "./Environment.js"
import * as Home from "./Home.js"
import { KnownSecrets } from "./KnownSecrets.js"
import * as Table from "./ProviderTable.js"

const keyed = [Table.anthropic, Table.google, Table.openAi, Table.openAiCompatible]

const variables = [
  ...new Set(keyed.flatMap(({ keyVariables }) => keyVariables)),
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN"
]

const fromEnvironment = (names: ReadonlyArray<string>) =>
  Effect.map(Environment.read(names), (set) => set.map(({ text }) => Redacted.make(text.trim())))

/** Reading them makes them known. A file that cannot be read holds none that this process could use. */
const meetStored = Effect.gen(function*() {
  const home = yield* Home.locate
  const get = ({ get }: Credentials.Credentials["Type"]) => Effect.ignore(get("openai-codex"))
  yield* Effect.provide(Effect.flatMap(Credentials.Credentials, get), Credentials.layerHome(home))
})

/** What the AWS tools take from their file, for any profile. */
const fromAwsFile = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const named = Config.nonEmptyString("AWS_SHARED_CREDENTIALS_FILE")
  const usual = Effect.map(Config.nonEmptyString("HOME"), (home) => path.join(home, ".aws", "credentials"))
  const text = yield* Effect.flatMap(Effect.orElse(named, () => usual), (file) => fs.readFileString(file))
  const lines = text.matchAll(/^\s*aws_(?:secret_access_key|session_token)\s*=\s*(\S+)/gm)
  return Array.from(lines, ([, secret = ""]) => Redacted.make(secret))
}).pipe(Effect.orElseSucceed(() => []))

/** Also of a variable that the settings name, and of what becomes known later. */
export const redaction = Effect.fnUntraced(function*(named?: string) {
  const known = yield* KnownSecrets
  const environment = yield* fromEnvironment(named === undefined ? variables : [...variables, named])
  for (const secret of [...environment, ...(yield* fromAwsFile)]) MutableHashSet.add(known, secret)
  yield* meetStored
  return Redaction.of(known)
})
