/**
 * Ends model requests that have fallen silent: a server that hangs, a connection that died without a word. Whatever
 * arrives is a sign of life, also what no reader is shown; how long a reply takes as a whole does not matter.
 */
import type { NativeRequest } from "@weir/model/Model"
import * as Model from "@weir/model/Model"
import { ModelUnavailable } from "@weir/model/ModelError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

export interface Watchdog {
  /** Something has arrived. */
  readonly notice: Effect.Effect<void>
  /** The model, with each of its events noticed, for those who read its streams elsewhere. */
  readonly model: Model.Model["Type"]
  /** Fails one request as interrupted after that much silence, at its beginning too. A timeout of zero is none. */
  readonly guard: (timeout: Duration.Duration) => Guard
}

export type Guard = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ModelUnavailable, R>

/** Unlike `Effect.raceFirst`, an interruption returns only after both have released what they hold. */
const firstOf = <A, E, R>(...racers: ReadonlyArray<Effect.Effect<A, E, R>>): Effect.Effect<A, E, R> =>
  Effect.flatten(Effect.raceAll(racers.map(Effect.exit)))

/** Watches a model that is asked one thing at a time. */
export const make = Effect.fnUntraced(function*(model: Model.Model["Type"]): Effect.fn.Return<Watchdog> {
  const heardAt = yield* Ref.make(0)
  const notice = Clock.clockWith((clock) => Ref.set(heardAt, clock.unsafeCurrentTimeMillis()))

  const noticed = (request: NativeRequest): NativeRequest =>
    Model.request({
      append: (entry) => noticed(request.append(entry)),
      open: (options) => Effect.map(request.open(options), Effect.tap(notice))
    })

  /** One timer a request, not one an event. */
  const silence = (timeout: Duration.Duration): Effect.Effect<never, ModelUnavailable> =>
    Effect.gen(function*() {
      let left = Duration.toMillis(timeout)
      while (left > 0) {
        yield* Effect.sleep(left)
        const silent = (yield* Clock.currentTimeMillis) - (yield* Ref.get(heardAt))
        left = Duration.toMillis(timeout) - silent
      }
      return yield* new ModelUnavailable({
        provider: model.provider,
        model: model.id,
        reason: "interrupted",
        detail: `(nothing for ${Duration.format(timeout)})`
      })
    })

  return {
    guard: (timeout) => <A, E, R>(request: Effect.Effect<A, E, R>) =>
      Duration.equals(timeout, Duration.zero)
        ? request
        : Effect.zipRight(notice, firstOf<A, E | ModelUnavailable, R>(request, silence(timeout))),
    notice,
    model: { ...model, start: (prompt) => noticed(model.start(prompt)) }
  }
})
