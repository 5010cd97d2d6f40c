/**
 * The one retry policy for model requests. Only `ModelUnavailable` meets it; a context overflow never does. A request
 * is sent at most 4 times, in 7 seconds but for delays that the provider asks for.
 */
import type { ModelError, ModelUnavailable } from "@weir/model/ModelError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as ScheduleDecision from "effect/ScheduleDecision"

export interface Retry {
  /** 1 for the first retry. */
  readonly attempt: number
  readonly delay: Duration.Duration
  readonly error: ModelUnavailable
}

/** A longer wait that the provider asks for is told to the user instead of slept through. */
const longestWait = Duration.seconds(60)

const isRetryable = (connected: Effect.Effect<boolean>) => (error: ModelError): Effect.Effect<boolean> => {
  if (error._tag !== "ModelUnavailable") return Effect.succeed(false)
  if (error.retryAfter && Duration.greaterThan(error.retryAfter, longestWait)) return Effect.succeed(false)
  return error.unreachable ? connected : Effect.succeed(true)
}

/** 1, 2 and 4 seconds, each up to a quarter shorter, so that clients that failed together do not return together. */
const backoff = Schedule.exponential("1 second").pipe(
  Schedule.jitteredWith({ min: 0.75, max: 1 }),
  Schedule.delays,
  Schedule.map((delay) => Duration.millis(Math.round(Duration.toMillis(delay))))
)

/** How often an error of that kind may be tried again, where it sets a bound of its own. */
const bound = (error: ModelError) =>
  error._tag === "ModelUnavailable" && error.retries !== undefined ? error.retries : Infinity

/** Waits its own delay, or what the provider asks for when that is longer: never less than was asked. */
const schedule = (options: {
  readonly connected: Effect.Effect<boolean>
  readonly onRetry: (retry: Retry) => Effect.Effect<void>
}) =>
  Schedule.identity<ModelError>().pipe(
    Schedule.whileInputEffect(isRetryable(options.connected)),
    Schedule.intersect(backoff),
    Schedule.intersect(Schedule.recurs(3)),
    Schedule.map(([[error, delay], retries]) => ({
      attempt: retries + 1,
      delay: error._tag === "ModelUnavailable" && error.retryAfter ? Duration.max(error.retryAfter, delay) : delay,
      error
    })),
    Schedule.whileOutput(({ attempt, error }) => attempt <= bound(error)),
    Schedule.modifyDelay(({ delay }) => delay),
    Schedule.onDecision((retry, decision) =>
      ScheduleDecision.isContinue(decision) && retry.error._tag === "ModelUnavailable"
        ? options.onRetry({ ...retry, error: retry.error })
        : Effect.void
    )
  )

/** As `Effect.retry`, for which a request that succeeds at once costs nothing. */
const retry = <A, E, R>(request: Effect.Effect<A, E, R>, policy: Schedule.Schedule<unknown, E>) =>
  Effect.catchAll(request, (error) =>
    Effect.flatMap(Schedule.driver(policy), (driver) => {
      const again = (error: E): Effect.Effect<A, E, R> =>
        Effect.matchEffect(driver.next(error), {
          onFailure: () => Effect.fail(error),
          onSuccess: () => Effect.catchAll(request, again)
        })
      return again(error)
    }))

/** `connected`: whether any request of this process has reached the provider. */
export const retrying = (options: {
  readonly connected: Effect.Effect<boolean>
  readonly onRetry: (retry: Retry) => Effect.Effect<void>
}) => {
  const policy = schedule(options)
  return <A, R>(request: Effect.Effect<A, ModelError, R>): Effect.Effect<A, ModelError, R> => retry(request, policy)
}
