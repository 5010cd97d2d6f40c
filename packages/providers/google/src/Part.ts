/** One part of a reply, as it arrives and as it has to go back. */
import * as Schema from "effect/Schema"

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true, nullable: true })

export const Part = Schema.Struct({
  text: maybe(Schema.String),
  /** The text is a thought. */
  thought: maybe(Schema.Boolean),
  /** Base64: what the model had in mind, for its own eyes. It may stand on a part with an empty text. */
  thoughtSignature: maybe(Schema.String),
  functionCall: maybe(Schema.Struct({
    id: maybe(Schema.String),
    name: maybe(Schema.String),
    args: maybe(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  }))
})
export type Part = typeof Part.Type

const isPlain = (part: Part) => part.functionCall === undefined && !part.thoughtSignature

/** The parts with one more. The pieces of a text become one part again, unless they are signed. */
export const append = (parts: ReadonlyArray<Part>, part: Part): ReadonlyArray<Part> => {
  const last = parts.at(-1)
  if (isPlain(part) && !part.text) return parts
  if (last === undefined || !isPlain(part) || !isPlain(last) || last.thought !== part.thought) {
    return [...parts, part.functionCall === undefined ? { ...part, text: part.text ?? "" } : part]
  }
  return parts.with(-1, { ...last, text: `${last.text ?? ""}${part.text}` })
}

/** The calls among the parts, in order. */
export const calls = (parts: ReadonlyArray<Part>) =>
  parts.flatMap(({ functionCall }) => functionCall === undefined ? [] : [functionCall])
