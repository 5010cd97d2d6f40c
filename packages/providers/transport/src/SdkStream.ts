/**
 * A stream from an SDK's async iterable. Such an iterable cannot be released by `return()`, which waits for the
 * element that a silent server never sends. It is therefore pulled by hand and released by aborting its request.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** When an error came up: before the answer began, or in the middle of it. */
export type Phase = "opening" | "reading"

/**
 * Opens the request when the stream is run. Its signal aborts when the stream ends, fails, or is
 * interrupted; nothing is awaited after that.
 */
export const fromSdk = <A, E>(options: {
  readonly open: (signal: AbortSignal) => Promise<AsyncIterable<A>>
  readonly onError: (error: unknown, phase: Phase) => Effect.Effect<never, E>
}): Stream.Stream<A, E> => {
  const settle = <B>(start: () => Promise<B>, phase: Phase) =>
    Effect.async<B, E>((resume) => {
      start().then(
        (value) => resume(Effect.succeed(value)),
        (error: unknown) => resume(options.onError(error, phase))
      )
    })

  return Stream.unwrapScoped(Effect.gen(function*() {
    const controller = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    const iterable = yield* settle(() => options.open(controller.signal), "opening")
    const iterator = iterable[Symbol.asyncIterator]()
    return Stream.repeatEffectOption(
      settle(() => iterator.next(), "reading").pipe(
        Effect.mapError(Option.some),
        Effect.flatMap((next) => next.done ? Effect.fail(Option.none()) : Effect.succeed(next.value))
      )
    )
  }))
}
