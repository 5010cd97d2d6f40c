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
  "accept-edits": ["read", "write", "execute"],
  "full": ["read", "write", "execute"]
}

/** What the model is told when a tool may not run; none when it may. */
export const denial = (mode: PermissionMode, tool: string, access: Access): Option.Option<string> =>
  allows[mode].includes(access)
    ? Option.none()
    : Option.some(
      `${tool} was not run: the permission mode is "${mode}", which lets tools read only. ` +
        "Do what you can without it, and tell the user that --permission-mode accept-edits or full allows it."
    )

export type Answer = Data.TaggedEnum<{
  Allowed: {}
  /** `because` is for the model; may be empty. */
  Denied: { readonly because: string }
}>

export const Answer = Data.taggedEnum<Answer>()

/** Who is asked where the mode is `ask` and a tool would do more than look. */
export interface Approval {
  /** What rules say of the call; none when the user has to be asked. */
  readonly decide: (call: ToolCall, access: Access) => Effect.Effect<Option.Option<Answer>>
  /** Waits for the user's answer. */
  readonly ask: (call: ToolCall, access: Access) => Effect.Effect<Answer>
}

/** What the model is told when the user does not allow a call. */
export const refusal = (tool: string, because: string): string =>
  `${tool} was not run: the user does not allow it${because === "" ? "." : `, and says: ${because}`}`
