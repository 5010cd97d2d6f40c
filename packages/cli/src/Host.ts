/**
 * The process that the command runs in. The one implementation that touches the real one is `bin.ts`;
 * tests provide their own.
 */
import type { Terminal } from "@weir/tui/Terminal"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface Output {
  /** Returns when the text has left this process. A reader that has gone away is no error. */
  readonly write: (text: string) => Effect.Effect<void>
  readonly isTerminal: boolean
}

export class Host extends Context.Tag("@weir/cli/Host")<Host, {
  /** For example `linux x64`. */
  readonly platform: string
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: {
    readonly isTerminal: boolean
    /** Everything up to the end of input, in bytes. */
    readonly read: Effect.Effect<Uint8Array>
  }
  /** Both streams as one, for a screen. */
  readonly terminal: Terminal
}>() {}
