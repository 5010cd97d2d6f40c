/**
 * Makes a tool that the agent can run out of an `@effect/ai` tool and a handler: decodes the arguments, runs,
 * and turns every expected failure into a result that tells the model how to mend its call.
 */
import * as AiTool from "@effect/ai/Tool"
import type { ToolResult } from "@weir/model/Conversation"
import type { Access, Tool, ToolContext } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as Cut from "./Cut.js"
import { ToolError } from "./ToolError.js"

/** What a handler gives; the rest of a result has its default. */
export type Outcome = Pick<ToolResult, "text"> & Partial<ToolResult>

/** A whole number from `min`. */
export const whole = (min: number, description: string) =>
  Schema.Int.pipe(
    Schema.greaterThanOrEqualTo(min, {
      jsonSchema: { type: "integer", description },
      message: ({ actual }) => `Expected a whole number from ${min}, found ${actual}`
    })
  )

/** An optional parameter. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const longestIssue = 300

const describe = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => {
      const found = Cut.line(message.replaceAll(", actual ", ", found "), longestIssue)
      return path.length === 0 ? found : `${path.map(String).join(".")}: ${found}`
    })
    .join("; ")

/** Many models write null for a parameter that they leave out. */
const withoutNulls = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value

const parseArguments = Schema.decodeUnknownEither(Schema.parseJson())

export const runnable = <A, I>(
  tool: Pick<AiTool.Any, "name" | "description"> & { readonly parametersSchema: Schema.Schema<A, I> },
  options: {
    readonly access: Access
    readonly handler: (parameters: A, context: ToolContext) => Effect.Effect<Outcome, ToolError>
  }
): Tool => {
  const decode = Schema.decodeUnknownEither(tool.parametersSchema, { errors: "all", onExcessProperty: "error" })

  const parse = (args: string) =>
    parseArguments(args).pipe(
      Either.mapLeft((error) => `The arguments are not JSON: ${describe(error)}`),
      Either.flatMap((value) =>
        Either.mapLeft(decode(withoutNulls(value)), (error) => `Wrong arguments: ${describe(error)}`)
      ),
      Either.mapLeft((problem) => new ToolError({ message: `${problem}. Mend the call of ${tool.name}.` }))
    )

  return {
    access: options.access,
    spec: {
      name: tool.name,
      description: tool.description ?? "",
      parameters: { ...AiTool.getJsonSchemaFromSchemaAst(tool.parametersSchema.ast) }
    },
    run: (args, context) =>
      Effect.suspend(() => parse(args)).pipe(
        Effect.flatMap((parameters) => options.handler(parameters, context)),
        Effect.catchAll((error): Effect.Effect<Outcome> => Effect.succeed({ text: error.message, isError: true })),
        Effect.map((outcome) => ({
          isError: false,
          images: [],
          facts: [],
          ...outcome,
          text: Cut.middle(outcome.text)
        })),
        Effect.withSpan(`tool ${tool.name}`, { captureStackTrace: false })
      )
  }
}
