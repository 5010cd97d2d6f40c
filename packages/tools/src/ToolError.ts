/** A failure that the model is told of in a tool result, so that it can try something else. */
import type { PlatformError } from "@effect/platform/Error"
import * as Refusal from "@weir/model/Refusal"
import * as Schema from "effect/Schema"

export class ToolError extends Schema.TaggedError<ToolError>("@weir/tools/ToolError/ToolError")("ToolError", {
  /** One sentence or a few: what is wrong and what to do. */
  message: Schema.String
}) {}

/** A model makes use of the code, but for what goes without saying. */
const reasonOf = (error: PlatformError): string =>
  error._tag === "SystemError" && (error.reason === "NotFound" || error.reason === "PermissionDenied")
    ? Refusal.words(error)
    : Refusal.detail(error)

/** `doing` completes "Cannot", for example `read src/a.ts`. */
export const fromPlatform = (doing: string) => (error: PlatformError): ToolError =>
  new ToolError({ message: `Cannot ${doing}: ${reasonOf(error)}.` })
