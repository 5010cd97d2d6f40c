/** Which tools may run. Tools that only look always may. */
import type { ToolCall } from "@weir/model/Conversation"
import type { Access } from "@weir/model/Tool"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export const PermissionMode = Schema.Literal("ask", "accept-edits", "read-only", "full")
export type PermissionMode = typeof PermissionMode.Type

const allows: { readonly [mode in PermissionMode]: ReadonlyArray<Access> } = {
  "ask": ["read"],
  "read-only": ["read"],
  "accept-edits": ["read", "write"],
  "full": ["read", "write", "execute"]
}

/** In these the user is asked about all else, where somebody can be asked. */
export const asks = (mode: PermissionMode): boolean => mode === "ask" || mode === "accept-edits"

/** What the model is told when a tool may not run; none when it may. */
export const denial = (mode: PermissionMode, tool: string, access: Access): Option.Option<string> => {
  if (allows[mode].includes(access)) return Option.none()
  const others = PermissionMode.literals.filter((other) => allows[other].includes(access)).join(" or ")
  return Option.some(
    `${tool} was not run: the permission mode is "${mode}", which lets tools ${allows[mode].join(" and ")} only. ` +
      `Do what you can without it, and tell the user that --permission-mode ${others} or --allow ${tool} allows it.`
  )
}

export type Answer = Data.TaggedEnum<{
  Allowed: {}
  /** `because` is for the model; may be empty. */
  Denied: { readonly because: string }
}>

export const Answer = Data.taggedEnum<Answer>()

/** What the user has decided of a call beforehand, whatever the mode; none: the mode decides. */
export type Rule = (call: ToolCall) => Effect.Effect<Option.Option<Answer>>

/** Who is asked where the mode asks about what a tool would do. */
export interface Approval {
  /** What rules say of the call; none when the user has to be asked. */
  readonly decide: (call: ToolCall, access: Access) => Effect.Effect<Option.Option<Answer>>
  /** Waits for the user's answer. */
  readonly ask: (call: ToolCall, access: Access) => Effect.Effect<Answer>
}

/** What the model is told when the user does not allow a call; none when they do. */
export const refused = (tool: string, answer: Answer): Option.Option<string> =>
  Answer.$match(answer, {
    Allowed: () => Option.none(),
    Denied: ({ because }) =>
      Option.some(`${tool} was not run: the user does not allow it${because === "" ? "." : `, and says: ${because}`}`)
  })
