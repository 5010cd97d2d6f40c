/** The arguments of a call for APIs that want an object: malformed ones have no form there. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { wellFormedObject } from "./WellFormed.js"

const parse = Schema.decodeOption(Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown })))

/** Empty for malformed arguments: the call's result tells the model about them. */
export const toObject = (json: string): { [name: string]: unknown } =>
  wellFormedObject(Option.getOrElse(parse(json), () => ({})))
