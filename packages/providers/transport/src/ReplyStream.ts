/** From the stream of an API to model events: the same for every API, once it can read its own stream. */
import type { ModelError } from "@weir/model/ModelError"
import { ContentRefused, ContextWindowExceeded, ModelUnavailable } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as Usage from "@weir/model/Usage"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ErrorReading from "./ErrorReading.js"

/** Why a reply is no reply. */
export type Fault = Data.TaggedEnum<{
  /** The stream stopped before the API's own last word. */
  Cut: { readonly detail: string }
  /** The window was full before the reply was complete. */
  Full: { readonly detail: string; readonly usage: Usage.Usage | undefined }
  /** What was said is taken back. */
  Refused: { readonly detail: string }
  /** The provider reported an error; `body` is its text. */
  Reported: { readonly body: unknown }
}>
export const Fault = Data.taggedEnum<Fault>()

/** How one API's stream is read. */
export interface Reader<Reading> {
  readonly start: Reading
  /** The reading after one more element of the stream, and what that says. */
  readonly append: (
    reading: Reading,
    value: unknown
  ) => Either.Either<readonly [Reading, ReadonlyArray<ModelEvent>], Fault>
  /** The last events. */
  readonly end: (reading: Reading) => Either.Either<ReadonlyArray<ModelEvent>, Fault>
}

const toError = (origin: ErrorReading.Origin, fault: Fault): Effect.Effect<ModelError> => {
  const from = { model: origin.model, provider: origin.provider }
  switch (fault._tag) {
    case "Cut":
      return Effect.succeed(new ModelUnavailable({ ...from, detail: fault.detail, reason: "interrupted" }))
    case "Full":
      return Effect.succeed(
        new ContextWindowExceeded({
          ...from,
          detail: fault.detail,
          kind: "tokens",
          ...(fault.usage && { limit: Usage.input(fault.usage) + fault.usage.output })
        })
      )
    case "Refused":
      return Effect.succeed(new ContentRefused({ ...from, detail: fault.detail }))
    case "Reported":
      return Effect.map(Clock.currentTimeMillis, (now) => ErrorReading.read(origin, { body: fault.body }, now))
  }
}

/** The events of a stream, at least one for each of its elements. The stream must come to the API's own end. */
export const events =
  <Reading>(origin: ErrorReading.Origin, reader: Reader<Reading>) =>
  <E>(stream: Stream.Stream<unknown, E>): Stream.Stream<ModelEvent, E | ModelError> => {
    const orFail = <A>(result: Either.Either<A, Fault>): Effect.Effect<A, ModelError> =>
      Either.isRight(result) ? Effect.succeed(result.right) : Effect.flip(toError(origin, result.left))

    return stream.pipe(
      Stream.map(Option.some),
      Stream.concat(Stream.succeed(Option.none())),
      Stream.mapAccumEffect(reader.start, (reading, element) =>
        Option.match(element, {
          onNone: () =>
            Effect.map(orFail(reader.end(reading)), (last): readonly [Reading, ReadonlyArray<ModelEvent>] => [
              reading,
              last
            ]),
          onSome: (value) => orFail(reader.append(reading, value))
        })),
      Stream.mapConcat((some) => some.length === 0 ? [ModelEvent.Heartbeat()] : some)
    )
  }
