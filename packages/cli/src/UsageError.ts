/** Wrong usage or configuration: nothing was done, the exit code is 2, and the message says what to change. */
import * as Schema from "effect/Schema"

export class UsageError extends Schema.TaggedError<UsageError>("@weir/cli/UsageError")("UsageError", {
  message: Schema.String
}) {}
