/** What `--verbose` tells on standard error: tools, retries, compactions; one line each. */
import type { EventOf, SessionEvent } from "@weir/agent/SessionEvent"
import { grouped } from "@weir/tui/Figures"
import { mainArgument } from "@weir/tui/MainArgument"
import { visible } from "@weir/tui/Visible"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type { Output } from "./Host.js"

export const make = Effect.fnUntraced(function*(stderr: Output) {
  const running = yield* Ref.make(
    HashMap.empty<string, { readonly call: EventOf<"ToolCallStarted">; readonly at: number }>()
  )
  const say = (line: string) => stderr.write(`${visible(line)}\n`)

  return (event: SessionEvent): Effect.Effect<void> => {
    switch (event._tag) {
      case "ToolCallStarted":
        return Effect.flatMap(
          Clock.currentTimeMillis,
          (at) => Ref.update(running, HashMap.set(event.callId, { at, call: event }))
        )
      case "ToolCallFinished":
        return Effect.gen(function*() {
          const started = HashMap.get(yield* Ref.get(running), event.callId)
          yield* Ref.update(running, HashMap.remove(event.callId))
          const argument = Option.match(started, {
            onNone: () => "",
            onSome: ({ call }) => mainArgument(call.arguments)
          })
          const millis = Option.match(started, { onNone: () => 0, onSome: ({ at }) => at })
          const took = Duration.format(Duration.millis((yield* Clock.currentTimeMillis) - millis))
          yield* say(`${event.name} ${argument} (${event.isError ? "failed" : "ok"}, ${took})`)
        })
      case "RetryScheduled":
        return say(`retry ${event.attempt} in ${Duration.format(Duration.millis(event.delayMillis))}: ${event.reason}`)
      case "AutoCompactionStarted":
        return say(`compacting at ${grouped(event.estimate)} tokens of ${grouped(event.budget)} (${event.reason})`)
      case "AutoCompactionApplied":
        return say(`compacted: ${grouped(event.before)} → ${grouped(event.after)} tokens (${event.strategy})`)
      case "AutoCompactionCancelled":
        return say("compaction cancelled")
      case "AutoCompactionFailed":
        return say(`compaction failed: ${event.error.message}`)
      default:
        return Effect.void
    }
  }
})
