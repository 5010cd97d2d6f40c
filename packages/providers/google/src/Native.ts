/**
 * Replies that hold thought signatures, as they have to be sent back: to the model that signed them, every part
 * unchanged and in its place.
 */
import type { NativeReply, Step } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Part from "./Part.js"

export const codec = "google-gemini"

/** What to keep of a reply; nothing when it can be told again from its step. */
export const make = (model: string, parts: ReadonlyArray<Part.Part>): NativeReply | undefined =>
  parts.some(({ thoughtSignature }) => thoughtSignature) ? { codec, model, payload: parts } : undefined

const decode = Schema.decodeUnknownOption(Schema.Array(Part.Part))

/** Names that the API takes back. */
const isName = (name: string) => /^[A-Za-z_][\w.:-]{0,63}$/.test(name)

const fits = (step: Step) => (parts: ReadonlyArray<Part.Part>): boolean => {
  const exchanges = Conversation.exchanges(step)
  const names = Part.calls(parts).map(({ name = "" }) => name)
  return names.length === exchanges.length &&
    names.every((name, index) => isName(name) && name === exchanges[index]?.call.name)
}

/** The parts of a step that this model wrote, if they are known and have just the step's calls. */
export const parts = (step: Step, model: string): Option.Option<ReadonlyArray<Part.Part>> =>
  step.native?.codec === codec && step.native.model === model
    ? Option.filter(decode(step.native.payload), fits(step))
    : Option.none()
