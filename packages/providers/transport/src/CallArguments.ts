/** The arguments of a call for APIs that want an object: malformed ones have no form there. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { isWellFormed, wellFormedObject } from "./WellFormed.js"

const Text = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const parse = Schema.decodeOption(Text)
const encode = Schema.encodeOption(Text)

/** Empty for malformed arguments: the call's result tells the model about them. */
export const toObject = (json: string): { [name: string]: unknown } =>
  wellFormedObject(Option.getOrElse(parse(json), () => ({})))

/** An escape of half a character: servers that read the text cannot write it any more. */
const mayHoldHalves = (json: string) => !isWellFormed(json) || /\\ud[89a-f]/i.test(json)

/** The same as text: as the model wrote it wherever it is an object. */
export const toText = (json: string): string =>
  Option.match(parse(json), {
    onNone: () => "{}",
    onSome: (object) => mayHoldHalves(json) ? Option.getOrElse(encode(wellFormedObject(object)), () => "{}") : json
  })
