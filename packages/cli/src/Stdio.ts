/**
 * The standard streams of this process. The one implementation that touches them is in `bin.ts`;
 * tests provide their own.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Stdio extends Context.Tag("@weir/cli/Stdio")<Stdio, {
  readonly stdout: {
    /** Returns when the text has left this process; a reader that has gone away is no error. */
    readonly write: (text: string) => Effect.Effect<void>
    /** Whether colours and cursor movements are welcome. */
    readonly styled: boolean
  }
  readonly stderr: {
    readonly write: (text: string) => Effect.Effect<void>
    readonly styled: boolean
  }
  readonly stdin: {
    readonly isTerminal: boolean
    /** Everything up to the end of input, in bytes. */
    readonly read: Effect.Effect<Uint8Array>
  }
}>() {}
