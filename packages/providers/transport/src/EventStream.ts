/**
 * An answer of server-sent events that hold JSON, read a piece at a time. SDKs iterate such answers event by event,
 * which costs a fast model several times what it costs to read what is in them.
 *
 * @effect-diagnostics asyncFunction:off
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { createParser } from "eventsource-parser"
import * as SdkStream from "./SdkStream.js"

/** An error in the place of an event; SDKs throw the same. */
class ErrorEvent extends Data.Error<{ readonly error: unknown }> {}

const last = "[DONE]"

const parse = (data: string): unknown => {
  const value: unknown = JSON.parse(data)
  if (Predicate.hasProperty(value, "error") && value.error) throw new ErrorEvent({ error: value.error })
  return value
}

/** The most that is read of an answer without any event, in characters. */
const longestText = 10_000

const isOfEvents = (line: string) => line.trim() === "" || /^(?::|(?:data|event|id|retry)(?::|$))/.test(line)

/** What a text says beside the fields of events. */
const beside = (text: string) => text.split(/\r\n|\r|\n/).filter((line) => !isOfEvents(line)).join("\n")

/**
 * The values that came with each piece. What is wrong with one is thrown after those before it. So is an error that is no
 * event: a line under a name of its own, as llama.cpp has sent it, or a text in the place of all events.
 */
export async function* values({ body }: Response): AsyncGenerator<ReadonlyArray<unknown>> {
  const arrived: Array<unknown> = []
  let isOver = false
  let hasEvents = false
  let text = ""
  const parser = createParser({
    onError: ({ field, type, value }) => {
      if (type === "unknown-field" && field === "error") throw new ErrorEvent({ error: value })
    },
    onEvent: ({ data }) => {
      hasEvents = true
      isOver ||= data.startsWith(last)
      if (!isOver) arrived.push(parse(data))
    }
  })
  const decoder = new TextDecoder()
  for await (const bytes of body ?? []) {
    const piece = decoder.decode(bytes, { stream: true })
    try {
      parser.feed(piece)
    } finally {
      if (arrived.length > 0) yield arrived.splice(0)
    }
    if (!hasEvents && text.length < longestText) text += piece
  }
  if (!hasEvents && beside(text) !== "") throw new ErrorEvent({ error: beside(text) })
}

/** Opens the request, of which the SDK gives the answer as it is. */
export const fromSdk = <E>(options: {
  readonly open: (signal: AbortSignal) => Promise<Response>
  readonly onError: (error: unknown, phase: SdkStream.Phase) => Effect.Effect<never, E>
}): Effect.Effect<SdkStream.Pull<unknown, E>, E, Scope.Scope> =>
  SdkStream.fromSdk({ onError: options.onError, open: (signal) => options.open(signal).then(values) }).pipe(
    Effect.map(Effect.map((pieces) => pieces.flat()))
  )
