/** One request, as the SDK wants it. */
import type { Content, GenerateContentConfig, Tool } from "@google/genai/web"
import type { ToolSpec } from "@weir/model/Prompt"
import * as Filler from "@weir/transport/Filler"
import { wellFormed, wellFormedObject } from "@weir/transport/WellFormed"
import type { Contents } from "./Contents.js"
import * as Conversations from "./Contents.js"

export interface Request {
  readonly model: string
  readonly contents: Array<Content>
  readonly config: GenerateContentConfig
}

/** A reply is not gone on with. */
const closing: Content = { role: "user", parts: [{ text: Filler.closing }] }

const toContents = (contents: Contents): Array<Content> => {
  const all = Conversations.all(contents).map(({ parts, role }): Content => ({ role, parts: [...parts] }))
  return all.at(-1)?.role === "user" ? all : [...all, closing]
}

const toTools = (tools: ReadonlyArray<ToolSpec>): Array<Tool> => [{
  functionDeclarations: tools.map(({ description, name, parameters }) => ({
    name,
    description: wellFormed(description),
    parametersJsonSchema: { ...wellFormedObject(parameters), type: "object" }
  }))
}]

/** Without what the SDK would do by itself: run tools, and send further requests. */
export const make = (model: string, contents: Contents, maxTokens: number): Request => ({
  model,
  contents: toContents(contents),
  config: {
    automaticContinuation: false,
    automaticFunctionCalling: { disable: true },
    maxOutputTokens: maxTokens,
    ...(contents.system.trim() !== "" && { systemInstruction: { parts: [{ text: wellFormed(contents.system) }] } }),
    ...(contents.tools.length > 0 && { tools: toTools(contents.tools) })
  }
})
