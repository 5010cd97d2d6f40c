/** Conversations to encode: a short way to write them, and any at all for property tests. */
import type { Entry, Exchange, Image, Step } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as fc from "fast-check"

export const png: Image = { data: "aGk=", mediaType: "image/png" }
/** An image of a kind that few APIs take. */
export const bitmap: Image = { data: "aGk=", mediaType: "image/bmp" }

export const tools = [{ description: "Reads.", name: "read", parameters: { properties: {}, type: "object" } }]

export const exchange = (id: string, given: {
  readonly name?: string
  readonly args?: string
  readonly text?: string
  readonly isError?: boolean
  readonly images?: ReadonlyArray<Image>
} = {}): Exchange => ({
  _tag: "Exchange",
  call: { _tag: "ToolCall", arguments: given.args ?? "{\"a\":1}", id, name: given.name ?? "read" },
  result: { facts: [], images: given.images ?? [], isError: given.isError ?? false, text: given.text ?? "ok" }
})

export const step = (...parts: Step["parts"]): Step => ({ _tag: "Step", parts })
export const said = (text: string) => ({ _tag: "Text" as const, text })
export const thought = (text: string) => ({ _tag: "Reasoning" as const, text })

const anyText = fc.oneof(fc.string(), fc.string16bits(), fc.constantFrom("", " ", "\n", "end "))
const anyId = fc.oneof(fc.string16bits({ maxLength: 90 }), fc.constantFrom("", "a", "a_2", "call", "functions.x:0"))
const images = fc.array(fc.constantFrom(png, bitmap), { maxLength: 2 })

const anyExchange = fc.record({
  args: fc.oneof(fc.constantFrom("", "{}", "{\"a\":", "{\"a\":\"\uD83D", "{\"a\":\"\\ud83d\"}"), fc.json()),
  id: anyId,
  images,
  isError: fc.boolean(),
  name: fc.string({ maxLength: 80 }),
  text: anyText
}).map(({ id, ...given }) => exchange(id, given))

/** A step without anything native. */
export const anyStep: fc.Arbitrary<Step> = fc
  .array(fc.oneof(anyText.map(said), anyText.map(thought), anyExchange), { maxLength: 6 })
  .map((parts) => step(...parts))

/** `native` makes steps with what one codec replays. */
export const anyConversation = (native: fc.Arbitrary<Step> = anyStep): fc.Arbitrary<ReadonlyArray<Entry>> =>
  fc.array(
    fc.oneof(
      fc.record({ images, text: anyText }).map(({ images, text }) => userMessage(text, images)),
      anyStep,
      native
    ),
    { maxLength: 12 }
  )
