/** What the SDK throws besides the failures that every API has: its own exceptions, and credentials it cannot find. */
import type { ModelError } from "@weir/model/ModelError"
import * as ErrorReading from "@weir/transport/ErrorReading"
import type { Phase } from "@weir/transport/SdkStream"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const isNamed = Schema.is(Schema.Struct({ message: Schema.String, name: Schema.String }))

const isException = Schema.is(Schema.Struct({ name: Schema.String.pipe(Schema.pattern(/Exception$/)) }))

const isProviderError = Schema.is(
  Schema.Struct({ name: Schema.Literal("CredentialsProviderError", "ProviderError", "TokenProviderError") })
)

const howToSign = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or AWS_BEARER_TOKEN_BEDROCK."

/** The error as a body: in the middle of a stream exceptions come without a status. */
const toBody = (error: unknown): object | undefined => {
  if (!isNamed(error)) return undefined
  const { message, name } = error
  if (isProviderError(error)) return { code: "unauthenticated", message: `${message} ${howToSign}` }
  if (!isException(error)) return undefined
  return { ...error, message, type: name }
}

/** `address` names the server in texts about the network. */
export const read = (
  origin: ErrorReading.Origin,
  address: string,
  error: unknown,
  phase: Phase
): Effect.Effect<ModelError> => {
  const body = toBody(error)
  return body === undefined
    ? ErrorReading.readThrown(origin, address, error, phase)
    : Effect.map(Clock.currentTimeMillis, (now) => ErrorReading.read(origin, { body }, now))
}
