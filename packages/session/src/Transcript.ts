/** The append-only record of one session. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Folded } from "./Fold.js"
import type { Batch, SessionStarted } from "./Record.js"
import type { TranscriptError } from "./TranscriptError.js"

export class Transcript extends Context.Tag("@weir/session/Transcript")<Transcript, {
  readonly start: SessionStarted
  /** What the transcript came to when it was opened. */
  readonly opened: Folded
  /** What opening it repaired or had to leave out, in sentences for the user. */
  readonly notices: ReadonlyArray<string>
  /**
   * Appends one batch with one write, and gives it as it was recorded; after a failure the transcript is as it was
   * before. `sync` waits until the batch is on disk.
   */
  readonly append: (batch: Batch, options?: { readonly sync?: boolean }) => Effect.Effect<Batch, TranscriptError>
  /** Waits until all that was appended is on disk. */
  readonly sync: Effect.Effect<void, TranscriptError>
  /** What has happened to it since it was opened, and was mended, in sentences for the user. Each is told once. */
  readonly mended?: Effect.Effect<ReadonlyArray<string>>
}>() {}
