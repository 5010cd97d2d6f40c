/** Real time in which nobody waits for long: for what tries again, and gains nothing from a real pause. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** Waits for a twentieth of the time. The time of day stays what it is. */
export const hurried = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) =>
    Effect.withClock(self, {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      currentTimeMillis: clock.currentTimeMillis,
      currentTimeNanos: clock.currentTimeNanos,
      sleep: (duration) => clock.sleep(Duration.times(duration, 1 / 20)),
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos()
    })
  )
