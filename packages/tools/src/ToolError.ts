/** A failure that the model is told of in a tool result, so that it can try something else. */
import type { PlatformError } from "@effect/platform/Error"
import * as Schema from "effect/Schema"

export class ToolError extends Schema.TaggedError<ToolError>("@weir/tools/ToolError/ToolError")("ToolError", {
  /** One sentence or a few: what is wrong and what to do. */
  message: Schema.String
}) {}

const reasonOf = (error: PlatformError): string => {
  if (error._tag === "BadArgument") return error.description ?? "it is not a valid path"
  switch (error.reason) {
    case "NotFound":
      return "it does not exist"
    case "PermissionDenied":
      return "permission is denied"
    default:
      return error.cause instanceof Error ? error.cause.message : error.description ?? error.reason
  }
}

/** `doing` completes "Cannot", for example `read src/a.ts`. */
export const fromPlatform = (doing: string) => (error: PlatformError): ToolError =>
  new ToolError({ message: `Cannot ${doing}: ${reasonOf(error)}.` })
