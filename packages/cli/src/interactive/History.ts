/** Messages of earlier sessions, for the arrow keys: the newest few hundred, in one file of JSON lines. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Redaction from "@weir/model/Redaction"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { KnownSecrets } from "../KnownSecrets.js"

const most = 500

const Line = Schema.parseJson(Schema.String)

export interface History {
  /** Oldest first. */
  readonly messages: ReadonlyArray<string>
  /** A history that cannot be written is no reason to stop. */
  readonly add: (message: string) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { clear } = Redaction.of(yield* KnownSecrets)
  const lines = (yield* Effect.orElseSucceed(fs.readFileString(file), () => "")).split("\n").filter((line) =>
    line !== ""
  )
  const kept = lines.slice(-most)
  const write = (text: string, flag: "a" | "w") =>
    fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }).pipe(
      Effect.zipRight(fs.writeFileString(file, text, { flag, mode: 0o600 })),
      Effect.ignore
    )
  if (lines.length > 2 * most) yield* write(`${kept.join("\n")}\n`, "w")
  return {
    add: (message) => write(`${Schema.encodeSync(Line)(clear(message))}\n`, "a"),
    messages: kept.flatMap((line) =>
      Either.match(Schema.decodeEither(Line)(line), { onLeft: () => [], onRight: (text) => [text] })
    )
  } satisfies History
})
