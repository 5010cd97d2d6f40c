/** The process: its streams, its runtime, its signals, its exit code. Nothing else touches them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { run } from "./Cli.js"
import { Host, type Output } from "./Host.js"

/** Put in by the build. */
declare const WEIR_VERSION: string

/** Once its reader is gone, writing does nothing: `weir run ... | head -1` ends quietly. */
const output = (stream: NodeJS.WriteStream): Output => {
  let gone = false
  stream.on("error", () => {
    gone = true
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

const readStdin = Effect.async<Uint8Array>((resume) => {
  const chunks: Array<Buffer> = []
  const end = () => resume(Effect.sync(() => Buffer.concat(chunks)))
  process.stdin.on("data", (chunk: Buffer) => chunks.push(chunk)).once("end", end).once("error", end)
  return Effect.sync(() => process.stdin.removeAllListeners().pause())
})

const host: Layer.Layer<Host> = Layer.sync(Host, () => ({
  platform: `${process.platform} ${process.arch}`,
  stderr: output(process.stderr),
  stdin: { isTerminal: process.stdin.isTTY === true, read: readStdin },
  stdout: output(process.stdout)
}))

const program = run(process.argv.slice(2), WEIR_VERSION).pipe(
  Effect.provide(
    Layer.mergeAll(
      NodeContext.layer,
      host,
      Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger))
    )
  )
)

const exitCode = (exit: Exit.Exit<unknown, unknown>): number => {
  if (Exit.isSuccess(exit)) return typeof exit.value === "number" ? exit.value : 0
  if (Cause.isInterruptedOnly(exit.cause)) return 130
  process.stderr.write(`weir: an error that should not happen: ${Cause.pretty(exit.cause)}\n`)
  return 1
}

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  // At once: all output has been written, and Node would wait for what V8 still compiles in the background.
  teardown: (exit) => process.exit(exitCode(exit))
})
