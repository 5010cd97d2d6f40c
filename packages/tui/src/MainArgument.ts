/** What a call's line shows of its arguments. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

const parse = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const encode = Schema.encodeSync(Schema.parseJson(Schema.Unknown))

const longest = 100

/** Where a call has one of these it says most, in whatever order the model wrote them; the first of these first. */
const telling = ["command", "pattern", "path"]

const isText = (value: unknown) => typeof value === "string"

/** The argument that says most about a call, else its first text, on one line. `json`: as the model wrote them. */
export const mainArgument = (json: string): string => {
  const first = Either.match(parse(json), {
    onLeft: () => json,
    onRight: (fields) => [...telling.map((name) => fields[name]), ...Object.values(fields)].find(isText) ?? ""
  })
  const line = first.replaceAll(/\s+/g, " ").trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

/** All arguments as a person reads them: a name and a value a line, texts as they are. */
export const allArguments = (json: string): string =>
  Either.match(parse(json), {
    onLeft: () => json,
    onRight: (fields) =>
      Object.entries(fields).map(([name, value]) => `${name}: ${typeof value === "string" ? value : encode(value)}`)
        .join("\n")
  })
