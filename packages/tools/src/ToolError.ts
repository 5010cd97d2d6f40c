/** A failure that the model is told of in a tool result, so that it can try something else. */
import type { PlatformError } from "@effect/platform/Error"
import * as Refusal from "@weir/model/Refusal"
import * as Schema from "effect/Schema"

export class ToolError extends Schema.TaggedError<ToolError>("@weir/tools/ToolError/ToolError")("ToolError", {
  /** One sentence or a few: what is wrong and what to do. */
  message: Schema.String
}) {}

/** `doing` completes "Cannot", for example `read src/a.ts`. */
export const fromPlatform = (doing: string) => (error: PlatformError): ToolError =>
  new ToolError({ message: `Cannot ${doing}: ${Refusal.words(error)}.` })
