/**
 * The elements of an SDK's async iterable, pulled one by one. Such an iterable cannot be released by `return()`,
 * which waits for the element that a silent server never sends: it is released by aborting its request.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"

/** When an error came up: before the answer began, or in the middle of it. */
export type Phase = "opening" | "reading"

/** The next element; `none` is the end. */
export type Pull<A, E> = Effect.Effect<A, Option.Option<E>>

/** Opens the request. Its signal aborts when the scope closes; nothing is awaited after that. */
export const fromSdk = <A, E>(options: {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<A>>
  readonly onError: (error: unknown, phase: Phase) => Effect.Effect<never, E>
}): Effect.Effect<Pull<A, E>, E, Scope.Scope> =>
  Effect.gen(function*() {
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const iterable = yield* Effect.async<AsyncIterable<A>, E>((resume) => {
      options.open(controller.signal).then(
        (opened) => resume(Effect.succeed(opened)),
        (error: unknown) => resume(options.onError(error, "opening"))
      )
    })
    const iterator = iterable[Symbol.asyncIterator]()
    return Effect.async<A, Option.Option<E>>((resume) => {
      iterator.next().then(
        (next) => resume(next.done ? Effect.fail(Option.none()) : Effect.succeed(next.value)),
        (error: unknown) => resume(Effect.mapError(options.onError(error, "reading"), Option.some))
      )
    })
  })
