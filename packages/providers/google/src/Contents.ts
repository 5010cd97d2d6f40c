/**
 * A conversation as the contents of this API, kept as an immutable state that grows entry by entry. The user
 * begins, and the results of all calls of a step are one content of their own, in the order of the calls.
 */
import type { FunctionResponsePart, Part } from "@google/genai/web"
import type { Entry, Exchange, Image, Step, UserMessage } from "@weir/model/Conversation"
import * as Conversation from "@weir/model/Conversation"
import type { Prompt, ToolSpec } from "@weir/model/Prompt"
import * as CallArguments from "@weir/transport/CallArguments"
import * as CallId from "@weir/transport/CallId"
import * as Filler from "@weir/transport/Filler"
import * as Picture from "@weir/transport/Picture"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Option from "effect/Option"
import * as ModelName from "./ModelName.js"
import * as Native from "./Native.js"
import * as Parts from "./Part.js"

export interface Content {
  readonly role: "user" | "model"
  readonly parts: ReadonlyArray<Part>
}

export interface Contents {
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  /** All contents but the newest. */
  readonly earlier: Chunk.Chunk<Content>
  readonly newest: Content | undefined
}

const longestName = 64

const opening: Content = { role: "user", parts: [{ text: Filler.opening }] }

/** What stands for the signature of a call that the reading model has not made. */
const unsigned = "skip_thought_signature_validator"

const text = (said: string): ReadonlyArray<Part> => said.trim() === "" ? [] : [{ text: wellFormed(said) }]

const isTaken = (image: Image) => Picture.isPicture(image) && image.mediaType !== "image/gif"

const inline = ({ data, mediaType }: Image) => ({ inlineData: { data, mimeType: mediaType } })

const image = (given: Image): Part => isTaken(given) ? inline(given) : { text: Picture.omitted(given) }

const user = ({ images, text: said }: UserMessage): Content => {
  const parts = [...text(said), ...images.map(image)]
  return { role: "user", parts: parts.length === 0 ? [{ text: Filler.emptyMessage }] : parts }
}

/** A name begins with a letter or an underscore. */
const toolName = (name: string) => CallId.legal(/^[A-Za-z_]/.test(name) ? name : `_${name}`, longestName)

const toCall = ({ call }: Exchange): Parts.Part => ({
  functionCall: { name: toolName(call.name), args: CallArguments.toObject(call.arguments) }
})

/** A step without reasoning, and without ids: results belong to calls by their order. */
const retold = (step: Step): ReadonlyArray<Parts.Part> =>
  step.parts.flatMap((part): ReadonlyArray<Parts.Part> => {
    switch (part._tag) {
      case "Text":
        return part.text.trim() === "" ? [] : [{ text: part.text }]
      case "Exchange":
        return [toCall(part)]
      case "Reasoning":
        return []
    }
  })

/** Of several calls in one reply only the first is signed. */
const signed = (parts: ReadonlyArray<Parts.Part>): ReadonlyArray<Parts.Part> => {
  const first = parts.findIndex(({ functionCall }) => functionCall !== undefined)
  return parts.map((part, index) =>
    index === first ? { ...part, thoughtSignature: part.thoughtSignature || unsigned } : part
  )
}

const replied = (step: Step, model: string): ReadonlyArray<Parts.Part> => {
  const parts = Option.getOrElse(Native.parts(step, model), () => retold(step))
  return ModelName.isThird(model) ? signed(parts) : parts
}

/** What no API accepts is replaced in texts and arguments; signatures have none of it. */
const toPart = ({ functionCall, text, ...rest }: Parts.Part): Part => ({
  ...rest,
  ...(text !== undefined && { text: wellFormed(text) }),
  ...(functionCall !== undefined && {
    functionCall: { ...functionCall, ...(functionCall.args && { args: wellFormedObject(functionCall.args) }) }
  })
})

type Call = ReturnType<typeof Parts.calls>[number]

const response = ({ result }: Exchange, { id, name = "" }: Call, images: ReadonlyArray<FunctionResponsePart>): Part => {
  const omitted = result.images.filter((given) => !isTaken(given)).map(Picture.omitted)
  const said = [wellFormed(result.text), ...omitted].join("\n")
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name,
      response: result.isError ? { error: said } : { output: said },
      ...(images.length > 0 && { parts: [...images] })
    }
  }
}

/** The results, with their images in a content after them for the models that cannot take them inside. */
const results = (
  exchanges: ReadonlyArray<Exchange>,
  calls: ReadonlyArray<Call>,
  model: string
): ReadonlyArray<Content> => {
  const takesImages = ModelName.isThird(model)
  const imagesOf = ({ result }: Exchange) => result.images.filter(isTaken).map(inline)
  const parts = Arr.zipWith(
    exchanges,
    calls,
    (exchange, call) => response(exchange, call, takesImages ? imagesOf(exchange) : [])
  )
  return [
    { role: "user", parts },
    { role: "user", parts: takesImages ? [] : exchanges.flatMap(imagesOf) }
  ]
}

const holdsResults = ({ parts }: Content) => parts[0]?.functionResponse !== undefined

/** A content more; one of the same role becomes part of the one before it, but results stay alone. */
const add = (self: Contents, content: Content): Contents => {
  const { newest } = self
  if (content.parts.length === 0) return self
  if (newest === undefined) {
    return content.role === "user" ? { ...self, newest: content } : add({ ...self, newest: opening }, content)
  }
  return newest.role === content.role && !holdsResults(newest) && !holdsResults(content)
    ? { ...self, newest: { role: newest.role, parts: [...newest.parts, ...content.parts] } }
    : { ...self, earlier: Chunk.append(self.earlier, newest), newest: content }
}

const isSaid = ({ functionCall, text = "", thought }: Parts.Part) =>
  functionCall !== undefined || (!thought && text.trim() !== "")

const addStep = (self: Contents, step: Step, model: string): Contents => {
  const parts = replied(step, model)
  if (!parts.some(isSaid)) return self
  const asked = add(self, { role: "model", parts: parts.map(toPart) })
  return results(Conversation.exchanges(step), Parts.calls(parts), model).reduce(add, asked)
}

/** `model` is who will read it. */
export const append = (self: Contents, entry: Entry, model: string): Contents =>
  entry._tag === "Step" ? addStep(self, entry, model) : add(self, user(entry))

export const start = ({ entries, system, tools }: Prompt, model: string): Contents =>
  entries.reduce<Contents>((contents, entry) => append(contents, entry, model), {
    system,
    tools,
    earlier: Chunk.empty(),
    newest: undefined
  })

export const all = ({ earlier, newest }: Contents): ReadonlyArray<Content> => [
  ...earlier,
  ...(newest === undefined ? [] : [newest])
]
