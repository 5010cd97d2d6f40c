/** Whether the sessions of a directory can be read, and who has left a lock. Looking changes nothing. */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LockFile from "./LockFile.js"
import * as Outline from "./Outline.js"
import * as SessionFiles from "./SessionFiles.js"
import * as TranscriptFile from "./TranscriptFile.js"
import * as TranscriptReader from "./TranscriptReader.js"

export interface Ailing {
  readonly id: string
  /** What is wrong, in sentences for the user. */
  readonly problem: string
}

export interface Health {
  /** All that there are. */
  readonly count: number
  /** Those that there was time for, the newest first. */
  readonly read: number
  readonly damaged: ReadonlyArray<Ailing>
  /** Sessions whose lock a dead process has left. */
  readonly stale: ReadonlyArray<string>
  /** Sessions whose lock belongs to a process on another machine, which cannot be asked. */
  readonly foreign: ReadonlyArray<Ailing>
}

const damageOf = (file: string) =>
  Effect.match(TranscriptReader.read(file, () => undefined, Outline.decode), {
    onFailure: ({ message }) => [message],
    onSuccess: (read) => TranscriptFile.reportDamage(file, read)
  })

/** Reads for about as long as `patience` allows. */
export const examine = Effect.fnUntraced(function*(directory: string, patience: Duration.Duration) {
  const path = yield* Path.Path
  const began = yield* Clock.currentTimeMillis
  const ids = (yield* SessionFiles.idsOf(directory)).toReversed()
  const damaged: Array<Ailing> = []
  const foreign: Array<Ailing> = []
  const stale: Array<string> = []
  let read = 0
  for (const id of ids) {
    if ((yield* Clock.currentTimeMillis) - began > Duration.toMillis(patience)) break
    const { lines, lock } = SessionFiles.filesOf(path, directory, id)
    read++
    const [problem] = yield* damageOf(lines)
    if (problem !== undefined) damaged.push({ id, problem })
    const holder = Option.getOrUndefined(yield* LockFile.look(lock))
    if (holder?.alive === false) stale.push(id)
    if (holder?.isHere === false) {
      foreign.push({ id, problem: `process ${holder.pid} on ${holder.host}; if it no longer runs, remove ${lock}` })
    }
  }
  return { count: ids.length, damaged, foreign, read, stale } satisfies Health
})
