/** A history with calls is often only taken together with tools: those that were called stand in for tools that are gone. */
import type { ToolSpec } from "@weir/model/Prompt"

export const make = (
  { called, tools }: { readonly tools: ReadonlyArray<unknown>; readonly called: ReadonlySet<string> }
): ReadonlyArray<ToolSpec> =>
  tools.length > 0
    ? []
    : [...called].map((name) => ({ name, description: "", parameters: { type: "object", properties: {} } }))
