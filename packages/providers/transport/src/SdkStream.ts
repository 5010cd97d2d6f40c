/**
 * The elements of an SDK's async iterable, pulled as they have arrived. Such an iterable cannot be released by
 * `return()`, which waits for the element that a silent server never sends: it is released by aborting its request.
 */
// The timer gathers what a socket gives; it is no time of the session's, which tests may hold still.
// @effect-diagnostics globalTimers:off
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { gathering } from "./HttpExchange.js"

/** When an error came up: before the answer began, or in the middle of it. */
export type Phase = "opening" | "reading"

/** The next elements, at least one; `none` is the end. */
export type Pull<A, E> = Effect.Effect<ReadonlyArray<A>, Option.Option<E>>

/** Elements beyond which no more are read before these are taken. */
const most = 128

/**
 * What arrives within a moment is taken together: a model that writes fast costs little more than a slow one, and
 * never keeps a key, a timer or a signal waiting. An SDK with an HTTP client of its own gathers nothing by itself.
 */
const pulling = <A, E>(
  iterator: AsyncIterator<A>,
  onError: (error: unknown) => Effect.Effect<never, E>
): Pull<A, E> => {
  let arrived: Array<A> = []
  let end: Effect.Effect<never, Option.Option<E>> | undefined
  let isReading = false
  let isGathering = false
  let wake = () => {}

  const read = () => {
    isReading = end === undefined && arrived.length < most
    if (isReading) iterator.next().then(onNext, onFailure)
    wake()
  }
  const onNext = (next: IteratorResult<A>) => {
    if (next.done === true) end = Effect.fail(Option.none())
    else arrived.push(next.value)
    read()
  }
  const onFailure = (error: unknown) => {
    end = Effect.mapError(onError(error), Option.some)
    read()
  }
  const gathered = () => {
    isGathering = false
    wake()
  }
  return Effect.async((resume) => {
    const deliver = () => {
      const taken = arrived
      arrived = []
      if (end === undefined) {
        isGathering = true
        setTimeout(gathered, gathering)
      }
      resume(taken.length > 0 || end === undefined ? Effect.succeed(taken) : end)
    }
    const deliverSoon = () => {
      const isEnough = arrived.length >= most || (arrived.length > 0 && !isGathering)
      if (!isEnough && end === undefined) return
      wake = () => {}
      setImmediate(deliver)
    }
    wake = deliverSoon
    if (isReading) deliverSoon()
    else read()
  })
}

/** Nobody hears why; a reason of its own would cost each request a stack trace. */
const released = new Error("The request was released")

/** Opens the request. Its signal aborts when the scope closes; nothing is awaited after that. */
export const fromSdk = <A, E>(options: {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<A>>
  readonly onError: (error: unknown, phase: Phase) => Effect.Effect<never, E>
}): Effect.Effect<Pull<A, E>, E, Scope.Scope> =>
  Effect.gen(function*() {
    const controller = new AbortController()
    yield* Scope.addFinalizer(yield* Effect.scope, Effect.sync(() => controller.abort(released)))
    const iterable = yield* Effect.async<AsyncIterable<A>, E>((resume) => {
      options.open(controller.signal).then(
        (opened) => resume(Effect.succeed(opened)),
        (error: unknown) => resume(options.onError(error, "opening"))
      )
    })
    return pulling(iterable[Symbol.asyncIterator](), (error) => options.onError(error, "reading"))
  })
