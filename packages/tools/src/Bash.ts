/** `bash`: one shell command. When it ends, however it ends, so does everything it started in its process group. */
import * as AiTool from "@effect/ai/Tool"
import * as Command from "@effect/platform/Command"
import * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { Tool, ToolContext } from "@weir/model/Tool"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Cut from "./Cut.js"
import * as FailingTests from "./FailingTests.js"
import * as PlainText from "./PlainText.js"
import * as ProcessGroup from "./ProcessGroup.js"
import type { Outcome } from "./Runnable.js"
import { optional, runnable } from "./Runnable.js"
import * as Spool from "./Spool.js"
import { fromPlatform, ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const defaultSeconds = 120
const maxSeconds = 3600

/** Linux takes no argument much longer. */
const maxCommandBytes = 120_000

/** How long output is still read that others than the shell may hold open. */
const drain = Duration.millis(100)

const description = AiTool.make("bash", {
  description: "Runs a bash command in the working directory, without input. Background processes are killed when it " +
    "ends.",
  parameters: {
    command: Schema.String,
    timeout_seconds: optional(
      Schema.Number.pipe(
        Schema.between(0, maxSeconds, {
          jsonSchema: { type: "number", description: `Default ${defaultSeconds}, at most ${maxSeconds}` },
          message: ({ actual }) => `Expected a number from 0 to ${maxSeconds}, found ${actual}`
        })
      )
    )
  }
})

type Parameters = typeof description.parametersSchema.Type

/**
 * One pipe for both outputs keeps their order. `exec` leaves no second shell behind; the first is `sh`, which starts
 * faster. `--norc`, since bash may take itself for a remote login, and would read the user's start-up file.
 */
const shell = (command: string, cwd: string) =>
  Command.make("sh", "-c", "exec bash --norc -c -- \"$1\" </dev/null 2>&1", "bash", command).pipe(
    Command.workingDirectory(cwd)
  )

type Ending =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Killed"; readonly signal: string }
  | { readonly _tag: "TimedOut"; readonly seconds: number }

/** The platform reports a signal only in the text of an error. */
const signalOf = (message: string) => /SIG[A-Z0-9]+/.exec(message)?.[0] ?? "a signal"

const endingOf = (process: CommandExecutor.Process, seconds: number): Effect.Effect<Ending> =>
  Effect.either(process.exitCode).pipe(
    Effect.timeoutOption(Duration.seconds(seconds)),
    Effect.map(Option.match({
      onNone: (): Ending => ({ _tag: "TimedOut", seconds }),
      onSome: Either.match({
        onLeft: (error): Ending => ({ _tag: "Killed", signal: signalOf(error.message) }),
        onRight: (code): Ending => ({ _tag: "Exited", code })
      })
    }))
  )

const describe = (ending: Ending): string => {
  switch (ending._tag) {
    case "Exited":
      return `exit code ${ending.code}`
    case "Killed":
      return `killed by ${ending.signal}`
    case "TimedOut":
      return `timed out after ${ending.seconds} seconds and was killed; give a larger timeout_seconds if it needs longer`
  }
}

export const make = Effect.fnUntraced(
  function*(workspace: Workspace): Effect.fn.Return<Tool, never, CommandExecutor.CommandExecutor> {
    const executor = yield* CommandExecutor.CommandExecutor

    const run = Effect.fnUntraced(function*(parameters: Parameters, context: ToolContext) {
      const { command } = parameters
      if (command.includes("\0")) return yield* new ToolError({ message: "command must not hold NUL characters." })
      if (Cut.byteLength(command) > maxCommandBytes) {
        return yield* new ToolError({
          message: `command is longer than ${maxCommandBytes} bytes. Write a script with write_file and run that.`
        })
      }
      const spool = yield* Spool.make(workspace, context.outputFile)
      const { process, terminate } = yield* Effect.catchAll(
        ProcessGroup.start(executor, shell(command, workspace.cwd)),
        (error) => Effect.zipRight(workspace.check, Effect.fail(fromPlatform(`run bash in ${workspace.cwd}`)(error)))
      )
      const plain = PlainText.make()
      // After escape sequences and NULs are gone, which could hide a secret, and before anything is cut.
      const cleared = context.redaction.pieces()
      const put = (text: string) =>
        text === "" ? Effect.void : Effect.zipRight(spool.append(text), context.report(text))
      const reader = yield* process.stdout.pipe(
        Stream.runForEach((bytes) => put(cleared.push(plain.push(bytes)))),
        Effect.ignore,
        Effect.forkScoped
      )
      const drained = Effect.flatMap(
        Fiber.poll(reader),
        Option.match({
          onNone: () => Effect.timeoutOption(Fiber.await(reader), drain),
          onSome: () => Effect.void
        })
      )

      const ending = yield* endingOf(process, parameters.timeout_seconds ?? defaultSeconds)
      if (ending._tag !== "TimedOut") yield* drained
      yield* terminate
      yield* drained
      yield* Fiber.interrupt(reader)
      yield* put(cleared.push(plain.finish()) + cleared.finish())

      const { savedTo, text } = yield* spool.collect
      const output = text.trimEnd() === "" ? "(no output)" : text.trimEnd()
      const exitCode = ending._tag === "Exited" ? ending.code : null
      const failing = exitCode === 0 ? [] : FailingTests.find(output)
      return {
        facts: [{ _tag: "Command", command, exitCode, ...(failing.length > 0 && { failing }) }],
        isError: exitCode !== 0,
        ...(savedTo !== undefined && { savedTo }),
        text: `${output}\n${describe(ending)}`
      } satisfies Outcome
    }, Effect.scoped)

    return runnable(description, { access: "execute", handler: run })
  }
)
