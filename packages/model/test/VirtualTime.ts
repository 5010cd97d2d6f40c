/**
 * Time that passes by itself. An effect runs to its end at once, in virtual time and always in the same order: when
 * nothing can go on, the next timer is due. For tests that tell thousands of stories, where `TestClock`, which waits
 * for real timers between two of its own, would take minutes.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Scheduler from "effect/Scheduler"

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** More than any sound effect needs between two instants. */
const mostTasks = 1_000_000

const insert = (timers: Array<Timer>, timer: Timer) => {
  const later = timers.findIndex(({ at }) => at > timer.at)
  timers.splice(later < 0 ? timers.length : later, 0, timer)
}

/**
 * Throws where the effect waits for something that will never happen, or goes round in circles. `settled` is called
 * each time that nothing can go on without time passing.
 */
export const run = <A, E>(
  effect: Effect.Effect<A, E>,
  options: { readonly seed: number; readonly settled?: () => void }
): Exit.Exit<A, E> => {
  const tasks: Array<Scheduler.Task> = []
  const timers: Array<Timer> = []
  let now = 0

  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(now) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(now) * 1_000_000n),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const timer: Timer = { at: now + Math.ceil(Duration.toMillis(duration)), ring: () => resume(Effect.void) }
        insert(timers, timer)
        return Effect.sync(() => {
          const index = timers.indexOf(timer)
          if (index >= 0) timers.splice(index, 1)
        })
      })
  }

  /** Runs what can run now. */
  const settle = () => {
    for (let next = 0; next < tasks.length; next++) {
      tasks[next]?.()
      if (next > mostTasks) throw new Error(`still busy at ${now} ms: this never ends`)
    }
    tasks.length = 0
  }

  // Nobody reads its spans, which would be a tenth of the time.
  const quiet = effect.pipe(
    Effect.withClock(clock),
    Effect.withRandom(Random.make(options.seed)),
    Effect.withTracerEnabled(false)
  )
  const fiber = Effect.runFork(quiet, {
    scheduler: Scheduler.make((task) => void tasks.push(task))
  })
  while (true) {
    settle()
    options.settled?.()
    const exit = fiber.unsafePoll()
    if (exit !== null) return exit
    if (tasks.length > 0) continue
    const timer = timers.shift()
    if (timer === undefined) throw new Error(`stuck at ${now} ms: nothing is left to wait for`)
    now = timer.at
    timer.ring()
  }
}
