/** A child fiber that can be interrupted apart from its parent, and never outlives it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FiberHandle from "effect/FiberHandle"
import * as Option from "effect/Option"

/**
 * Runs an effect as the handle's fiber. None when it was interrupted through the handle; interrupted when the parent
 * is, after the child has unwound; otherwise as the effect. `started` runs when the fiber can already be interrupted
 * through the handle and has not begun.
 */
export const interruptible =
  <A, E>(handle: FiberHandle.FiberHandle<A, E>, started: Effect.Effect<void> = Effect.void) =>
  <R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const gate = yield* Effect.makeLatch()
        const fiber = yield* FiberHandle.run(handle, gate.whenOpen(effect))
        yield* started
        yield* gate.open
        const exit = yield* restore(Fiber.await(fiber)).pipe(Effect.onInterrupt(() => Fiber.interrupt(fiber)))
        if (Exit.isSuccess(exit)) return Option.some(exit.value)
        if (Cause.isInterruptedOnly(exit.cause)) return Option.none<A>()
        return yield* Effect.failCause(exit.cause)
      })
    )
