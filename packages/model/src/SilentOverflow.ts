/** A window that was exceeded without an error: some servers cut the prompt, or answer with next to nothing. */
import * as Option from "effect/Option"
import * as Reply from "./Reply.js"
import * as Usage from "./Usage.js"

/** In tokens. */
export interface Asked {
  readonly window: number
  readonly maxOutputTokens: number
  /** Our own count of the request's input. */
  readonly estimate: number
}

/** In tokens. */
export interface Overflow {
  readonly limit: number
  readonly actual: number
}

const isFull = (input: number, window: number) => 50 * input >= 49 * window

/** What a reply's usage gives away. The reply itself may still be complete. */
export const detect = (reply: Reply.Reply, { estimate, maxOutputTokens, window }: Asked): Option.Option<Overflow> => {
  if (reply.usage === undefined || !Usage.isCredible(reply.usage)) return Option.none()
  const input = Usage.input(reply.usage)
  if (input > window) return Option.some({ actual: input, limit: window })
  if (!isFull(input, window)) return Option.none()
  const isCutShort = reply.stop === "length" && 2 * reply.usage.output < maxOutputTokens
  if (Reply.saysNothing(reply) || isCutShort) return Option.some({ actual: input, limit: window })
  return 2 * estimate > 3 * input ? Option.some({ actual: estimate, limit: window }) : Option.none()
}
