/** Tool calls put together from the fragments of a stream. */
import type { ToolCall } from "@weir/model/Conversation"
import { ModelEvent } from "@weir/model/ModelEvent"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Fragment } from "./ChatChunk.js"

interface Call {
  readonly index: number | undefined
  /** As the host gave it; it may be empty, or the same for two calls. */
  readonly hostId: string
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** The calls of one reply, in the order they began. */
export interface Calls {
  readonly calls: ReadonlyArray<Call>
  /** Makes the ids of calls that come without one of their own. */
  readonly seed: string
}

export const none = (seed: string): Calls => ({ calls: [], seed })

/** The position of the call that a fragment continues, -1 when it begins one. */
const positionOf = (calls: ReadonlyArray<Call>, fragment: Fragment): number => {
  const index = fragment.index ?? undefined
  const position = index === undefined ? calls.length - 1 : calls.findLastIndex((call) => call.index === index)
  const call = calls[position]
  const name = fragment.function?.name ?? ""
  // A fragment without a name can only continue. With one, it is a new call if its id is new, or if nothing else tells.
  if (call === undefined || name === "" || call.name === "") return position
  const isAnother = fragment.id ? fragment.id !== call.hostId : index === undefined
  return isAnother ? -1 : position
}

const begin = ({ calls, seed }: Calls, fragment: Fragment): Call => {
  const hostId = fragment.id ?? ""
  const isOwn = hostId !== "" && calls.every((call) => call.id !== hostId)
  return {
    arguments: "",
    hostId,
    id: isOwn ? hostId : `call_${seed}_${calls.length}`,
    index: fragment.index ?? undefined,
    name: ""
  }
}

const encodeObject = Schema.encodeOption(Schema.parseJson(Schema.Unknown))

const argumentsOf = ({ function: called }: Fragment): string => {
  const given = called?.arguments ?? ""
  return typeof given === "string" ? given : Option.getOrElse(encodeObject(given), () => "")
}

/** The calls with one more fragment, and the event of a call whose name is now known. */
export const append = (self: Calls, fragment: Fragment): readonly [Calls, ReadonlyArray<ModelEvent>] => {
  const position = positionOf(self.calls, fragment)
  const before = self.calls[position] ?? begin(self, fragment)
  const call: Call = {
    ...before,
    arguments: before.arguments + argumentsOf(fragment),
    name: before.name || (fragment.function?.name ?? "")
  }
  const calls = position < 0 ? [...self.calls, call] : self.calls.with(position, call)
  const isNamedNow = before.name === "" && call.name !== ""
  return [{ ...self, calls }, isNamedNow ? [ModelEvent.CallStarted({ id: call.id, name: call.name })] : []]
}

const toToolCall = (call: Call): ToolCall => ({
  _tag: "ToolCall",
  id: call.id,
  name: call.name,
  arguments: call.arguments.trim() === "" ? "{}" : call.arguments
})

const parseObject = Schema.decodeUnknownEither(Schema.parseJson(Schema.Record({
  key: Schema.String,
  value: Schema.Unknown
})))

export const all = (self: Calls): ReadonlyArray<ToolCall> => self.calls.map(toToolCall)

/** The calls that arrived whole, for a reply that was cut somewhere. */
export const whole = (self: Calls): ReadonlyArray<ToolCall> =>
  self.calls.filter((call) => Either.isRight(parseObject(call.arguments))).map(toToolCall)
