/** The one error of the Responses API that others do not share. */
import * as Errors from "./OpenAiError.js"

/** It names no sizes. */
export const overflow = Errors.invalid(
  "Your input exceeds the context window of this model. Please adjust your input and try again.",
  "input",
  "context_length_exceeded"
)
