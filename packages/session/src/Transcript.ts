/** The append-only record of one session. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Batch, Record, SessionStarted } from "./Record.js"
import type { TranscriptError } from "./TranscriptError.js"

export class Transcript extends Context.Tag("@weir/session/Transcript")<Transcript, {
  readonly start: SessionStarted
  /** What the transcript held when it was opened, oldest first; its first record is `start`. */
  readonly opened: ReadonlyArray<Record>
  /**
   * Appends one batch with one write; after a failure the transcript is as it was before.
   * `sync` waits until the batch is on disk.
   */
  readonly append: (batch: Batch, options?: { readonly sync?: boolean }) => Effect.Effect<void, TranscriptError>
}>() {}
