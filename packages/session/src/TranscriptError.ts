/** Why a session's transcript could not be read or written. */
import * as Schema from "effect/Schema"

export class TranscriptError extends Schema.TaggedError<TranscriptError>(
  "@weir/session/TranscriptError"
)("TranscriptError", {
  reason: Schema.Literal("read", "write", "corrupt", "newer", "notFound", "ambiguous", "locked", "deleted", "cut"),
  /** The session, or the file. */
  subject: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    const what = {
      read: `The session ${this.subject} cannot be read. Check the permissions of its file.`,
      write: `The session ${this.subject} cannot be written; nothing recorded before is lost. ` +
        "Check free disk space and the directory's permissions, or run with --no-session.",
      corrupt: `${this.subject} is no session that Weir can read; it was left as it is. ` +
        "Start a new session, or mend its first line.",
      newer: `The session ${this.subject} was written by a newer version of Weir; it was left as it is. Update Weir.`,
      notFound: `There is no session ${this.subject}. List those that there are with: weir sessions list`,
      ambiguous: `More than one session's id begins with ${this.subject}. Give more of it.`,
      locked: `The session ${this.subject} is open in another process. Close that one first, or start a new session.`,
      deleted: `${this.subject} was deleted while its session was open, and cannot be written anew. ` +
        "Check free disk space and the directory's permissions, and go on: it is tried again.",
      cut: `${this.subject} was cut short by another program while its session was open: what it held is lost. ` +
        "Start a new session."
    }[this.reason]
    return this.detail === "" ? what : `${what} (${this.detail})`
  }
}
