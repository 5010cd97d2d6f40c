/** The one retry policy for model requests. Only `ModelUnavailable` meets it; a context overflow never does. */
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

const isRetryable = (connected: boolean) => (error: ModelError): error is ModelUnavailable =>
  error._tag === "ModelUnavailable" &&
  (connected || error.unreachable !== true) &&
  (error.retryAfter === undefined || Duration.lessThanOrEqualTo(error.retryAfter, longestWait))

/** Waits 1, 2 and 4 seconds, or what the provider asks for when that is longer. */
const schedule = (options: {
  readonly connected: boolean
  readonly onRetry: (retry: Retry) => Effect.Effect<void>
}) =>
  Schedule.identity<ModelError>().pipe(
    Schedule.whileInput(isRetryable(options.connected)),
    Schedule.intersect(Schedule.exponential("1 second")),
    Schedule.intersect(Schedule.recurs(3)),
    Schedule.map(([[error, delay], retries]) => ({
      attempt: retries + 1,
      delay: error._tag === "ModelUnavailable" && error.retryAfter ? Duration.max(error.retryAfter, delay) : delay,
      error
    })),
    Schedule.modifyDelay(({ delay }) => delay),
    Schedule.onDecision((retry, decision) =>
      ScheduleDecision.isContinue(decision) && retry.error._tag === "ModelUnavailable"
        ? options.onRetry({ ...retry, error: retry.error })
        : Effect.void
    )
  )

/** At most 4 requests. `connected`: whether any request of this process has reached the provider. */
export const retrying = (options: {
  readonly connected: boolean
  readonly onRetry: (retry: Retry) => Effect.Effect<void>
}) =>
<A, R>(request: Effect.Effect<A, ModelError, R>): Effect.Effect<A, ModelError, R> =>
  Effect.retry(request, schedule(options))
