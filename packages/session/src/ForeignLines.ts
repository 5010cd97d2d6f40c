/** How other agents write their transcripts: JSON lines, read as loosely as they are specified. */
import type { Image } from "@weir/model/Conversation"
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export type Piece = Data.TaggedEnum<{
  User: { readonly text: string; readonly images: ReadonlyArray<Image> }
  Text: { readonly text: string }
  Reasoning: { readonly text: string }
  Call: { readonly id: string; readonly name: string; readonly args: string }
  Result: {
    readonly id: string
    readonly text: string
    readonly isError: boolean
    readonly images: ReadonlyArray<Image>
  }
}>

export const Piece = Data.taggedEnum<Piece>()

type Line = { readonly [name: string]: unknown }

interface Read {
  readonly cwd?: string
  readonly model?: string
  readonly pieces: ReadonlyArray<Piece>
}

export interface Program {
  readonly name: "Claude Code" | "Codex" | "pi"
  /** Undefined: these are not its lines. */
  readonly read: (lines: ReadonlyArray<Line>) => Read | undefined
}

const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const Text = maybe(Schema.String)

/** A part of a message, of any of the three. */
const Block = Schema.Struct({
  type: Schema.String,
  text: Text,
  thinking: Text,
  id: Text,
  name: Text,
  input: maybe(Schema.Unknown),
  arguments: maybe(Schema.Unknown),
  tool_use_id: Text,
  is_error: maybe(Schema.Boolean),
  content: maybe(Schema.Unknown),
  data: Text,
  mimeType: Text,
  source: maybe(Schema.Struct({ media_type: Text, data: Text })),
  image_url: Text
})
type Block = typeof Block.Type

const Content = Schema.Union(Schema.String, Schema.Array(Block))
const decodeContent = Schema.decodeUnknownOption(Content)
const encodeJson = Schema.encodeOption(Schema.parseJson(Schema.Unknown))

const blocksOf = (content: unknown): ReadonlyArray<Block> =>
  Option.match(decodeContent(content), {
    onNone: () => [],
    onSome: (found) => typeof found === "string" ? [{ type: "text", text: found }] : found
  })

const textOf = (content: unknown): string => blocksOf(content).flatMap(({ text }) => text ? [text] : []).join("\n")

const argumentsOf = (value: unknown): string =>
  typeof value === "string" ? value : Option.getOrElse(encodeJson(value ?? {}), () => "{}")

const dataUrl = /^data:([^;,]+);base64,(.*)$/s

const imagesOf = (content: unknown): ReadonlyArray<Image> =>
  blocksOf(content).flatMap(({ data, image_url, mimeType, source }) => {
    if (source?.data && source.media_type) return [{ mediaType: source.media_type, data: source.data }]
    if (data && mimeType) return [{ mediaType: mimeType, data }]
    const [, mediaType, inline] = dataUrl.exec(image_url ?? "") ?? []
    return mediaType && inline ? [{ mediaType, data: inline }] : []
  })

/** What the model said: text, reasoning and calls, in whichever words. */
const spoken = (content: unknown): ReadonlyArray<Piece> =>
  blocksOf(content).flatMap((block): ReadonlyArray<Piece> => {
    switch (block.type) {
      case "thinking":
        return block.thinking ? [Piece.Reasoning({ text: block.thinking })] : []
      case "tool_use":
      case "toolCall":
        return [Piece.Call({
          id: block.id ?? "",
          name: block.name ?? "",
          args: argumentsOf(block.type === "tool_use" ? block.input : block.arguments)
        })]
      default:
        return block.text ? [Piece.Text({ text: block.text })] : []
    }
  })

const said = (content: unknown): ReadonlyArray<Piece> => {
  const text = textOf(content)
  const images = imagesOf(content)
  return text === "" && images.length === 0 ? [] : [Piece.User({ text, images })]
}

/** The entries from the first to the last one, along their parents: what was abandoned is left out. */
const branch = <A>(
  entries: ReadonlyArray<A>,
  idOf: (entry: A) => string | null | undefined,
  parentOf: (entry: A) => string | null | undefined
): ReadonlyArray<A> => {
  const byId = new Map(entries.map((entry) => [idOf(entry), entry]))
  const kept: Array<A> = []
  let next = entries.at(-1)
  while (next !== undefined && !kept.includes(next)) {
    kept.unshift(next)
    const parent = parentOf(next)
    next = parent ? byId.get(parent) : undefined
  }
  return kept
}

const ClaudeLine = Schema.Struct({
  type: Schema.String,
  uuid: Schema.String,
  parentUuid: Text,
  logicalParentUuid: Text,
  isSidechain: maybe(Schema.Boolean),
  isMeta: maybe(Schema.Boolean),
  cwd: Text,
  message: maybe(Schema.Struct({ content: maybe(Schema.Unknown), model: Text }))
})

const claude: Program = {
  name: "Claude Code",
  read: (lines) => {
    const all = lines.flatMap((line) => Option.toArray(Schema.decodeUnknownOption(ClaudeLine)(line)))
    const main = branch(
      all.filter(({ isSidechain }) => isSidechain !== true),
      ({ uuid }) => uuid,
      ({ logicalParentUuid, parentUuid }) => parentUuid ?? logicalParentUuid
    )
    if (main.length === 0) return undefined
    const pieces = main.flatMap(({ isMeta, message, type }): ReadonlyArray<Piece> => {
      if (type === "assistant") return spoken(message?.content)
      if (type !== "user" || isMeta === true) return []
      const results = blocksOf(message?.content).filter(({ type }) => type === "tool_result")
      return results.length === 0
        ? said(message?.content)
        : results.map(({ content, is_error, tool_use_id }) =>
          Piece.Result({
            id: tool_use_id ?? "",
            text: textOf(content),
            isError: is_error === true,
            images: imagesOf(content)
          })
        )
    })
    const cwd = main.find((entry) => entry.cwd)?.cwd
    const model = main.findLast((entry) => entry.message?.model)?.message?.model
    return { pieces, ...(cwd && { cwd }), ...(model && { model }) }
  }
}

const CodexLine = Schema.Struct({
  type: Schema.Literal("session_meta", "response_item", "turn_context"),
  payload: Schema.Struct({
    type: Text,
    role: Text,
    cwd: Text,
    model: Text,
    content: maybe(Schema.Unknown),
    summary: maybe(Schema.Unknown),
    name: Text,
    arguments: maybe(Schema.Unknown),
    input: maybe(Schema.Unknown),
    call_id: Text,
    output: maybe(Schema.Unknown)
  })
})

/** What the program itself puts before the user's words. */
const boilerplate = /^\s*<(environment_context|user_instructions|permissions|INSTRUCTIONS)|^# AGENTS\.md instructions/

const codexItem = ({ payload, type }: typeof CodexLine.Type): ReadonlyArray<Piece> => {
  if (type !== "response_item") return []
  const id = payload.call_id ?? ""
  switch (payload.type) {
    case "message":
      if (payload.role === "assistant") return spoken(payload.content)
      return payload.role === "user" && !boilerplate.test(textOf(payload.content)) ? said(payload.content) : []
    case "reasoning": {
      const text = textOf(payload.summary)
      return text === "" ? [] : [Piece.Reasoning({ text })]
    }
    case "function_call":
    case "custom_tool_call":
      return [Piece.Call({ id, name: payload.name ?? "", args: argumentsOf(payload.arguments ?? payload.input) })]
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = payload
      const text = typeof output === "string" ? output : textOf(output) || argumentsOf(output)
      return [Piece.Result({ id, text, isError: false, images: imagesOf(output) })]
    }
    default:
      return []
  }
}

const codex: Program = {
  name: "Codex",
  read: (lines) => {
    const all = lines.flatMap((line) => Option.toArray(Schema.decodeUnknownOption(CodexLine)(line)))
    if (!all.some(({ type }) => type === "response_item")) return undefined
    const cwd = all.find(({ payload }) => payload.cwd)?.payload.cwd
    const model = all.findLast(({ payload, type }) => type === "turn_context" && payload.model)?.payload.model
    return { pieces: all.flatMap(codexItem), ...(cwd && { cwd }), ...(model && { model }) }
  }
}

const PiLine = Schema.Struct({
  type: Schema.String,
  id: Text,
  parentId: Text,
  cwd: Text,
  message: maybe(Schema.Struct({
    role: Schema.String,
    content: maybe(Schema.Unknown),
    toolCallId: Text,
    isError: maybe(Schema.Boolean),
    model: Text
  }))
})

const pi: Program = {
  name: "pi",
  read: (lines) => {
    const all = lines.flatMap((line) => Option.toArray(Schema.decodeUnknownOption(PiLine)(line)))
    const start = all.find(({ type }) => type === "session")
    const entries = all.filter(({ type }) => type !== "session")
    if (start === undefined) return undefined
    const isTree = entries.some(({ parentId }) => parentId)
    const main = isTree ? branch(entries, ({ id }) => id, ({ parentId }) => parentId) : entries
    const pieces = main.flatMap(({ message }): ReadonlyArray<Piece> => {
      switch (message?.role) {
        case "user":
          return said(message.content)
        case "assistant":
          return spoken(message.content)
        case "toolResult":
          return [Piece.Result({
            id: message.toolCallId ?? "",
            text: textOf(message.content),
            isError: message.isError === true,
            images: imagesOf(message.content)
          })]
        default:
          return []
      }
    })
    const model = main.findLast(({ message }) => message?.model)?.message?.model
    return { pieces, ...(start.cwd && { cwd: start.cwd }), ...(model && { model }) }
  }
}

/** In the order in which they are tried. */
export const programs: ReadonlyArray<Program> = [codex, claude, pi]
