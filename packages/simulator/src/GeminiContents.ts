/** The contents of a Gemini request: the shape of each, and the pairing of calls with responses. */
import * as Either from "effect/Either"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Fields from "./GeminiFields.js"
import * as Model from "./GeminiModel.js"
import type { GeminiPart } from "./GeminiParts.js"
import { readPart } from "./GeminiParts.js"

export interface GeminiContent {
  readonly role: "user" | "model"
  readonly parts: ReadonlyArray<GeminiPart>
}

/** One content; the role of the user when it has none. */
export const readContent = (path: string, value: unknown): Read<GeminiContent> =>
  Either.gen(function*() {
    const content = yield* Fields.message(path, value, "Content", ["role", "parts"])
    const given = yield* Fields.optional(Fields.join(path, "role"), content.role, Fields.string)
    const parts = yield* Fields.each(Fields.join(path, "parts"), content.parts, readPart)
    const role = (["user", "model"] as const).find((known) => known === (given || "user"))
    if (role === undefined) return yield* Either.left(Errors.invalid("Please use a valid role: user, model."))
    return parts.length === 0
      ? yield* Either.left(Errors.at(Fields.join(path, "parts"), "contents.parts must not be empty."))
      : { parts, role }
  })

const callsOf = (content: GeminiContent | undefined) => content?.parts.filter((part) => part.type === "call") ?? []

const responsesOf = (content: GeminiContent | undefined) =>
  content?.parts.filter((part) => part.type === "response") ?? []

const fail = (message: string) => Either.left(Errors.invalid(message))

const unequal = fail(
  "Please ensure that the number of function response parts is equal to the number of function call parts of the " +
    "function call turn."
)

const checkResponses = (content: GeminiContent, before: GeminiContent | undefined): Read<void> => {
  const responses = responsesOf(content)
  const calls = callsOf(before)
  if (responses.length === 0) return Either.void
  if (calls.length === 0 || content.role !== "user") {
    return fail("Please ensure that function response turn comes immediately after a function call turn.")
  }
  const pairs = responses.length === calls.length &&
    responses.every(({ id, name }, index) => name === calls[index]?.name && id === calls[index]?.id)
  return pairs ? Either.void : unequal
}

const checkCalls = (
  content: GeminiContent,
  before: GeminiContent | undefined,
  after: GeminiContent | undefined
): Read<void> => {
  if (callsOf(content).length === 0) return Either.void
  if (content.role !== "model" || before?.role !== "user") {
    return fail(
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    )
  }
  return responsesOf(after).length === 0 ? unequal : Either.void
}

const checkImages = (contents: ReadonlyArray<GeminiContent>, model: string): Read<void> =>
  !Model.isThird(model) && contents.some((content) => responsesOf(content).some(({ images }) => images.length > 0))
    ? fail("Multimodal function responses are not supported for this model.")
    : Either.void

export const readContents = (path: string, value: unknown, model: string): Read<ReadonlyArray<GeminiContent>> =>
  Either.gen(function*() {
    const contents = yield* Fields.each(path, value, readContent)
    if (contents.length === 0) return yield* Either.left(Errors.at("contents", "contents is not specified"))
    for (const [index, content] of contents.entries()) {
      yield* checkCalls(content, contents[index - 1], contents[index + 1])
      yield* checkResponses(content, contents[index - 1])
    }
    yield* checkImages(contents, model)
    if (contents.at(-1)?.role === "user") return contents
    return yield* fail(
      contents.length === 1
        ? "Please ensure that single turn requests end with a user role or the role field is empty."
        : "Please ensure that multiturn requests ends with a user role or a function response."
    )
  })
