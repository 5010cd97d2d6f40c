/** The bundled command as a real process, in a directory and a home of its own. */
// @effect-diagnostics nodeBuiltinImport:off processEnvInEffect:off
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

export const command = fileURLToPath(new URL("../dist/weir", import.meta.url))

export interface Finished {
  /** The exit code; 128 and the signal's number when a signal ended the process. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it has printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string }
  readonly finished: Effect.Effect<Finished>
}

export interface Options {
  readonly cwd: string
  readonly env?: Record<string, string>
  /** By default standard input is empty. `open` leaves it open. */
  readonly stdin?: string | Uint8Array | "open"
  /** Shell commands that prepare the process; they end with `exec "$@"`, which becomes the command. */
  readonly shell?: string
}

/** Nothing of the developer's own environment but the path. */
export const start = (args: ReadonlyArray<string>, options: Options) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const { shell } = options
      const [program, before] = shell === undefined
        ? [command, []] as const
        : ["bash", ["--norc", "-c", shell, "bash", command]] as const
      const child = spawn(program, [...before, ...args], {
        cwd: options.cwd,
        env: { PATH: process.env["PATH"], WEIR_HOME: `${options.cwd}/.home`, ...options.env },
        stdio: ["pipe", "pipe", "pipe"]
      })
      const output = { stderr: "", stdout: "" }
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        output.stdout += chunk
      })
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        output.stderr += chunk
      })
      child.stdin.on("error", () => undefined)
      if (options.stdin !== "open") child.stdin.end(options.stdin ?? "")
      const finished = Effect.async<Finished>((resume) => {
        const done = () => resume(Effect.sync(() => ({ ...output, code: child.exitCode ?? 128 })))
        if (child.exitCode !== null || child.signalCode !== null) done()
        else child.once("close", done)
      })
      return { child, finished, output }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

export const run = (args: ReadonlyArray<string>, options: Options) =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ finished }) => finished))

/** Command lines that hold `mark`, of all processes but the command itself. */
export const processes = (mark: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const ids = (yield* fs.readDirectory("/proc")).filter((name) => /^\d+$/.test(name))
    const lines = yield* Effect.forEach(ids, (id) =>
      Effect.orElseSucceed(fs.readFileString(`/proc/${id}/cmdline`), () => ""))
    return lines.filter((line) =>
      line.includes(mark) && !line.includes("weir.cjs")
    )
  })

/** Looks again and again until it holds. */
export const eventually = <A, E, R>(self: Effect.Effect<A, E, R>, holds: (value: A) => boolean) =>
  self.pipe(
    Effect.repeat(Schedule.identity<A>().pipe(Schedule.addDelay(() => "20 millis"), Schedule.untilInput(holds))),
    Effect.timeout("20 seconds")
  )

type Files = { readonly [name: string]: string | Uint8Array }

/** Puts files into a directory. */
export const put = (root: string, files: Files) =>
  Effect.sync(() => {
    const folders = new Set(Object.keys(files).map((name) => dirname(`${root}/${name}`)))
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) writeFileSync(`${root}/${name}`, content)
  })

/** A fresh directory with these files. */
export const directory = (files: Files = {}) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "weir-cli-" }), fs.realPath)
    yield* put(root, files)
    return root
  })
