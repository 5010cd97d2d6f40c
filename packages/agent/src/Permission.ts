/** Which tools may run. Tools that only look always may. */
import type { Access } from "@weir/model/Tool"
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
