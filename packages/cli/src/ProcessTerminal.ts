/** The terminal that the process was started in. */
import { leave, LineEvent, type Terminal, TerminalEvent } from "@weir/tui/Terminal"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

const raw = (on: boolean) => {
  if (process.stdin.isTTY) process.stdin.setRawMode(on)
}

/** However the process ends, the terminal is as it was. */
const restore = () => {
  process.stdout.write(leave)
  raw(false)
}

const write = (text: string) =>
  Effect.async<void>((resume) => {
    process.stdout.write(text, () => resume(Effect.void))
  })

/** Ctrl+C is the screen's as long as lines are read; whoever has listened before listens again afterwards. */
const interruptions = (onInterrupt: () => void) => {
  const others = process.rawListeners("SIGINT")
  process.removeAllListeners("SIGINT").on("SIGINT", onInterrupt)
  return () => {
    process.off("SIGINT", onInterrupt)
    for (const other of others) process.on("SIGINT", () => other())
  }
}

const readLines = (queue: Queue.Enqueue<LineEvent>) => {
  let rest = ""
  const onData = (data: string) => {
    const lines = (rest + data).split(/\r?\n/)
    rest = lines.pop() ?? ""
    for (const line of lines) queue.unsafeOffer(LineEvent.Typed({ line }))
  }
  const onEnd = () => {
    if (rest !== "") queue.unsafeOffer(LineEvent.Typed({ line: rest }))
    queue.unsafeOffer(LineEvent.Closed())
  }
  const letGo = interruptions(() => queue.unsafeOffer(LineEvent.Interrupted()))
  process.stdin.setEncoding("utf8").on("data", onData).once("end", onEnd).once("error", onEnd).resume()
  return () => {
    letGo()
    process.stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause()
  }
}

const readKeys = (queue: Queue.Enqueue<TerminalEvent>, onContinue: () => void) => {
  const onData = (data: string) => queue.unsafeOffer(TerminalEvent.Sent({ data }))
  const onEnd = () => queue.unsafeOffer(TerminalEvent.Closed())
  const onResize = () => queue.unsafeOffer(TerminalEvent.Resized())
  process.once("exit", restore)
  raw(true)
  process.stdin.setEncoding("utf8").on("data", onData).once("end", onEnd).once("error", onEnd).resume()
  // Standard output tells nothing of a window that was changed and is again as it was.
  process.on("SIGWINCH", onResize).on("SIGCONT", onContinue)
  return () => {
    process.off("exit", restore)
    process.stdin.off("data", onData).off("end", onEnd).off("error", onEnd).pause()
    process.off("SIGWINCH", onResize).off("SIGCONT", onContinue)
    raw(false)
  }
}

const listening = <A>(read: (queue: Queue.Queue<A>) => () => void) =>
  Effect.acquireRelease(
    Effect.flatMap(Queue.unbounded<A>(), (queue) => Effect.sync(() => ({ close: read(queue), queue }))),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ queue }): Queue.Dequeue<A> => queue))

/** Whom no shell has started, as in a window of its own, nobody could continue: the system does not stop it. */
const stopping = "100 millis"

export const make = (): Terminal => {
  let isSuspending = false
  /** Whoever had the terminal meanwhile has left it as it pleased. */
  const onContinue = (queue: Queue.Enqueue<TerminalEvent>) => () => {
    if (isSuspending) return
    raw(false)
    raw(true)
    queue.unsafeOffer(TerminalEvent.Continued())
  }
  return {
    lines: listening(readLines),
    open: listening((queue) => readKeys(queue, onContinue(queue))),
    size: Effect.sync(() => ({ columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 })),
    suspend: Effect.async<void>((resume) => {
      isSuspending = true
      restore()
      const continued = () => resume(Effect.void)
      process.once("SIGCONT", continued)
      process.kill(process.pid, "SIGTSTP")
      return Effect.sync(() => process.off("SIGCONT", continued))
    }).pipe(
      Effect.timeoutOption(stopping),
      Effect.zipRight(Effect.sync(() => {
        raw(true)
        isSuspending = false
      }))
    ),
    write
  }
}
