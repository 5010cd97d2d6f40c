/** The process: its streams, its runtime, its signals, its exit code. Its terminal is `ProcessTerminal`'s. */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Terminal from "@effect/platform/Terminal"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as tty from "node:tty"
import { run } from "./Cli.js"
import { Host, type Output } from "./Host.js"
import * as ProcessTerminal from "./ProcessTerminal.js"
import * as QuestionTerminal from "./QuestionTerminal.js"

/** Put in by the build. */
declare const WEIR_VERSION: string

/** A reader or a terminal that has gone away is no failure: `weir run ... | head -1` ends quietly. */
const quiet = new Set(["EPIPE", "EIO", "ECONNRESET"])

/** What kept standard output from being written, such as a full disk. */
let unwritten: string | undefined

/** After its first error a stream is written no more. */
const output = (stream: NodeJS.WriteStream, onError: (code: string) => void): Output => {
  let gone = false
  stream.on("error", (error: NodeJS.ErrnoException) => {
    gone = true
    onError(error.code ?? error.message)
  })
  return {
    isTerminal: stream.isTTY === true,
    write: (text) =>
      Effect.async((resume) => {
        if (gone) resume(Effect.void)
        else stream.write(text, () => resume(Effect.void))
      })
  }
}

/** There is nothing to read, and Node would load its file streams to find it out. */
const isDevNull = () => {
  try {
    return fs.fstatSync(0).rdev === fs.statSync(os.devNull).rdev
  } catch {
    return false
  }
}

const readStdin = Effect.async<Uint8Array>((resume) => {
  const chunks: Array<Buffer> = []
  const end = () => resume(Effect.sync(() => Buffer.concat(chunks)))
  process.stdin.on("data", (chunk: Buffer) => chunks.push(chunk)).once("end", end).once("error", end)
  return Effect.sync(() => process.stdin.removeAllListeners().pause())
})

const host = (): Context.Tag.Service<Host> => ({
  terminal: ProcessTerminal.make(),
  platform: `${process.platform} ${process.arch}`,
  stderr: output(process.stderr, () => undefined),
  stdin: {
    isTerminal: tty.isatty(0),
    read: Effect.suspend(() => isDevNull() ? Effect.succeed(new Uint8Array()) : readStdin)
  },
  stdout: output(process.stdout, (code) => {
    if (!quiet.has(code)) unwritten = code
  })
})

/** The same in every process, hence made before one is there. */
const platform = Layer.mergeAll(
  NodeCommandExecutor.layer,
  NodePath.layer,
  Layer.succeed(Terminal.Terminal, QuestionTerminal.terminal)
).pipe(
  Layer.provideMerge(NodeFileSystem.layer),
  Layer.build,
  Effect.scoped,
  Effect.runSync
)

const loggers = HashSet.make(Logger.withConsoleError(Logger.logfmtLogger))

const exitCode = (exit: Exit.Exit<number, unknown>): number => {
  if (Exit.isFailure(exit)) {
    if (Cause.isInterruptedOnly(exit.cause)) return 130
    process.stderr.write(`weir: an error that should not happen: ${Cause.pretty(exit.cause)}\n`)
    return 1
  }
  if (unwritten === undefined) return exit.value
  process.stderr.write(`weir: standard output could not be written (${unwritten}). Check free disk space.\n`)
  return exit.value === 0 ? 1 : exit.value
}

/** A terminal that is closed sends the last of them. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** An interrupted program may not take longer to end; a reader that does not read could block it. */
const patience = "5 seconds"

/** Nobody reads the counts that Effect keeps of its fibers. */
const runtime = Runtime.disableRuntimeFlag(Runtime.defaultRuntime, RuntimeFlags.RuntimeMetrics)

/** Called once the process is there: all before is the same in every process, and may come out of a snapshot. */
export const start = (): void => {
  const program = run(process.argv.slice(2), WEIR_VERSION).pipe(
    Effect.provideService(Host, host()),
    Effect.provide(platform),
    Effect.locally(FiberRef.currentLoggers, loggers),
    Effect.withRandom(Random.make(randomBytes(16).toString("hex")))
  )

  const fiber = Runtime.runFork(runtime, program)

  /** Further signals do not keep the program from releasing what it holds. */
  const interrupt = () => {
    fiber.unsafeInterruptAsFork(fiber.id())
    Effect.runFork(Effect.sleep(patience)).addObserver(() => process.exit(130))
  }
  for (const signal of signals) process.on(signal, interrupt)

  // Node would end a program that waits for nothing of its own.
  Effect.runFork(Effect.never)

  // At once: all output has been written, and Node would wait for what V8 still compiles in the background.
  fiber.addObserver((exit) => process.exit(exitCode(exit)))
}
