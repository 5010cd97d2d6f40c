/** A session as one JSON value: its records with everything that stands in other files. */
import * as Schema from "effect/Schema"
import { Record, version } from "./Record.js"
import type { Stored } from "./SessionStore.js"

export const Exported = Schema.Struct({
  format: Schema.Literal("weir-session"),
  version: Schema.Literal(version),
  /** The first one starts the session. */
  records: Schema.NonEmptyArray(Record)
})

export const Json = Schema.parseJson(Exported, { space: 2 })

export const render = ({ records: [, ...rest], start }: Stored) =>
  Schema.encode(Json)({ format: "weir-session", version, records: [start, ...rest] })
