/** From the stream of an API to model events: the same for every API, once it can read its own stream. */
import type * as Model from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import { ContentRefused, ContextWindowExceeded, ModelUnavailable } from "@weir/model/ModelError"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as Usage from "@weir/model/Usage"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as ErrorReading from "./ErrorReading.js"
import type { Pull } from "./SdkStream.js"

/** Why a reply is no reply. */
export type Fault = Data.TaggedEnum<{
  /** The stream stopped before the API's own last word. */
  Cut: {
    readonly detail: string
    /** How often it is worth asking again; as often as is usual when left out. */
    readonly retries?: number
  }
  /** The window was full before the reply was complete. */
  Full: { readonly detail: string; readonly usage: Usage.Usage | undefined }
  /** What was said is taken back. */
  Refused: { readonly detail: string }
  /** The provider reported an error; `body` is its text. */
  Reported: { readonly body: unknown }
}>
export const Fault = Data.taggedEnum<Fault>()

export const garbled: Fault = Fault.Cut({ detail: "an event of the stream could not be read" })

/**
 * What cannot be read. It may be an error in the place of an event, unless it has one of the fields that events have: then
 * it holds the model's words, which may speak of errors, too.
 */
export const unreadable = (value: unknown, ...fields: ReadonlyArray<string>): Fault =>
  fields.some((field) => Predicate.hasProperty(value, field) && Predicate.isObject(value[field]))
    ? garbled
    : Fault.Reported({ body: value })

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

/** Without its input a usage says nothing of the window that was full. */
const isCounted = (usage: Usage.Usage): boolean => Usage.input(usage) > 0 && Usage.isCredible(usage)

const toError = (origin: ErrorReading.Origin, fault: Fault): Effect.Effect<ModelError> => {
  const from = { model: origin.model, provider: origin.provider }
  switch (fault._tag) {
    case "Cut":
      return Effect.succeed(
        new ModelUnavailable({
          ...from,
          detail: fault.detail,
          reason: "interrupted",
          ...(fault.retries !== undefined && { retries: fault.retries })
        })
      )
    case "Full":
      return Effect.succeed(
        new ContextWindowExceeded({
          ...from,
          detail: fault.detail,
          kind: "tokens",
          ...(fault.usage && isCounted(fault.usage) && { limit: Usage.input(fault.usage) + fault.usage.output })
        })
      )
    case "Refused":
      return Effect.succeed(new ContentRefused({ ...from, detail: fault.detail }))
    case "Reported":
      return Effect.map(Clock.currentTimeMillis, (now) => ErrorReading.read(origin, { body: fault.body }, now))
  }
}

const heartbeat = [ModelEvent.Heartbeat()]

/** For so long a server may leave a reply open that has come to its end: its usage may still follow. */
const patience = "10 seconds"

/** The connection broke. */
const isBroken = (error: ModelError): boolean => error._tag === "ModelUnavailable" && error.reason === "interrupted"

/**
 * The events of each pull, at least one. It must come to the API's own end; what breaks after that does not matter, nor
 * that nothing does.
 */
const reading = <Reading>(
  origin: ErrorReading.Origin,
  reader: Reader<Reading>,
  pull: Pull<unknown, ModelError>
): Model.Pull => {
  let read = reader.start
  let isOver = false
  let fault: Fault | undefined

  const next: Model.Pull = Effect.suspend(() => {
    if (fault !== undefined) return fail(fault)
    return isOver
      ? Effect.fail(Option.none())
      : Effect.matchEffect(hasEnded() ? closing : pull, { onFailure, onSuccess })
  })
  const hasEnded = () => Either.match(reader.end(read), { onLeft: ({ _tag }) => _tag !== "Cut", onRight: () => true })
  const closing = Effect.timeoutFail(pull, { duration: patience, onTimeout: () => Option.none() })
  const fail = (fault: Fault) => Effect.flatMap(toError(origin, fault), (error) => Effect.fail(Option.some(error)))

  /** What stands before a fault is still said. */
  const onSuccess = (values: ReadonlyArray<unknown>): typeof next => {
    const said: Array<ModelEvent> = []
    for (const value of values) {
      const appended = reader.append(read, value)
      if (Either.isLeft(appended)) {
        fault = appended.left
        break
      }
      read = appended.right[0]
      said.push(...appended.right[1])
    }
    return fault !== undefined && said.length === 0
      ? fail(fault)
      : Effect.succeed(Chunk.unsafeFromArray(said.length === 0 ? heartbeat : said))
  }
  const onFailure = (error: Option.Option<ModelError>): typeof next => {
    if (Option.isSome(error) && !isBroken(error.value)) return Effect.fail(error)
    const last = reader.end(read)
    if (Option.isSome(error) && Either.isLeft(last)) return Effect.fail(error)
    isOver = true
    return Either.isLeft(last) ? fail(last.left) : Effect.succeed(Chunk.unsafeFromArray(last.right))
  }
  return next
}

/** The largest seed. */
const most = 2_147_483_647

/** The events of what is opened. `reader` gets a seed for ids that the API leaves out. */
export const events =
  <Reading>(origin: ErrorReading.Origin, reader: (seed: string) => Reader<Reading>) =>
  <E extends ModelError, R>(open: Effect.Effect<Pull<unknown, E>, E, R>): Effect.Effect<Model.Pull, E, R> =>
    Effect.flatMap(
      Random.nextIntBetween(0, most),
      (seed) => Effect.map(open, (pull) => reading(origin, reader(seed.toString(36)), pull))
    )
