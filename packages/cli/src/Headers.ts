/** Headers that a user wants to send. Their values may be secrets: no complaint repeats one. */
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const name = /^[\w!#$%&'*+.^`|~-]+$/

/** One line of what HTTP can carry. */
const value = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

const valueComplaint = "Expected a string, one line of plain characters"

export const Headers = Schema.Record({
  key: Schema.String.pipe(
    Schema.pattern(name, { message: () => "Expected the name of a header: letters, digits and dashes" })
  ),
  value: Schema.String.annotations({ message: () => valueComplaint }).pipe(
    Schema.pattern(value, { message: () => valueComplaint })
  )
}).annotations({ message: () => "Expected an object with a string for each header" })
export type Headers = typeof Headers.Type

/** Pairs `K=V`; the value may hold further equals signs. */
export const parse = <E>(
  pairs: ReadonlyArray<string>,
  onError: (message: string) => E
): Effect.Effect<Headers, E> =>
  Effect.reduce(pairs, {}, (all, pair) => {
    const [key = "", ...rest] = pair.split("=")
    const [header, content] = [key.trim(), rest.join("=").trim()]
    if (rest.length === 0 || !name.test(header)) {
      return Effect.fail(onError("Expected NAME=VALUE, such as X-Team=blue"))
    }
    return value.test(content)
      ? Effect.succeed({ ...all, [header]: content })
      : Effect.fail(onError(`${header}: ${valueComplaint}`))
  })

/** Lines `K=V`. */
export const HeaderLines = Schema.transformOrFail(Schema.String, Headers, {
  strict: true,
  decode: (text, _, ast) => parse(text.trim().split("\n"), (message) => new ParseResult.Type(ast, text, message)),
  encode: (record) => ParseResult.succeed(Object.entries(record).map((pair) => pair.join("=")).join("\n"))
})
