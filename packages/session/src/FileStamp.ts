/**
 * What tells that a file has changed. Node is asked directly, and waited for: a listing asks of a thousand files, and
 * would take seven times as long to be answered by other threads.
 */
// @effect-diagnostics nodeBuiltinImport:off
import * as Context from "effect/Context"
import * as fs from "node:fs"

export interface FileStamp {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modified: number
}

/** Of a file that can be looked at. */
const look = (file: string): FileStamp | undefined => {
  try {
    const { mtime, size } = fs.statSync(file)
    return { size, modified: mtime.getTime() }
  } catch {
    return undefined
  }
}

/** Whoever keeps sessions in another file system replaces it. */
export class FileStamps extends Context.Reference<FileStamps>()("@weir/session/FileStamps", {
  defaultValue: () => ({ look })
}) {}
