/**
 * A process that never outlives its scope, with all that it started in its group. The platform's own release asks
 * politely and then waits without end; here the group is killed when asking did not help.
 */
import type * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"

/** 300 ms for processes that end in their own way. */
const grace = Schedule.spaced("10 millis").pipe(Schedule.intersect(Schedule.recurs(30)))

/** Whether the leader has exited and nobody of its group is left. SIGCONT asks without doing harm. */
const ended = (process: CommandExecutor.Process) =>
  Effect.flatMap(
    Effect.orElseSucceed(process.isRunning, () => false),
    (running) => running ? Effect.succeed(false) : Effect.isFailure(process.kill("SIGCONT"))
  )

export interface ProcessGroup {
  /** The leader. */
  readonly process: CommandExecutor.Process
  /** Returns when nobody of the group is left: SIGTERM, at most 300 ms later SIGKILL, which takes effect as soon. */
  readonly terminate: Effect.Effect<void>
}

const terminate = (process: CommandExecutor.Process): Effect.Effect<void> =>
  Effect.gen(function*() {
    if (yield* ended(process)) return
    // `kill` waits for the leader, who may be deaf: hence the daemon.
    yield* Effect.forkDaemon(Effect.ignore(process.kill("SIGTERM")))
    yield* Effect.repeat(ended(process), { until: (over) => over, schedule: grace })
    yield* Effect.ignore(process.kill("SIGKILL"))
    yield* Effect.repeat(ended(process), { until: (over) => over, schedule: grace })
  }).pipe(Effect.uninterruptible)

/** Starts a process as the leader of its own group. */
export const start = (
  executor: CommandExecutor.CommandExecutor,
  command: Command.Command
): Effect.Effect<ProcessGroup, PlatformError, Scope.Scope> =>
  Effect.flatMap(Scope.make(), (platform) =>
    Effect.acquireRelease(
      Effect.flatMap(
        Scope.extend(executor.start(command), platform),
        (process) => Effect.map(Effect.once(terminate(process)), (terminate) => ({ process, terminate }))
      ),
      ({ terminate }) => Effect.zipRight(terminate, Effect.forkDaemon(Scope.close(platform, Exit.void)))
    ))
