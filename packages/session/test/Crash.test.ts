/** Whatever moment a process dies at, the session that is opened next is the one that was acknowledged. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as Fold from "@weir/session/Fold"
import { type Batch, Line, type Record } from "@weir/session/Record"
import { SessionStore, startRecord } from "@weir/session/SessionStore"
import * as SideFiles from "@weir/session/SideFiles"
import * as TranscriptReader from "@weir/session/TranscriptReader"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import {
  attempt,
  began,
  beginning,
  compacted,
  end,
  inDirectory,
  recordsOf,
  reopened,
  start,
  step,
  stepped,
  usage,
  written
} from "./Samples.js"

type Move = "turn" | "step" | "pruned" | "refused" | "cut" | "compact" | "fail" | "learn" | "end"

/** What each move records, in whatever state the session is. */
const play = (moves: ReadonlyArray<Move>): ReadonlyArray<Batch> => {
  const batches: Array<Batch> = []
  let folded = beginning
  const covered = new Map<string, number>()
  const add = (...batch: Batch) => {
    batches.push(batch)
    folded = batch.reduce(Fold.append, folded)
  }
  moves.forEach((move, index) => {
    const running = folded.running?.turn
    switch (move) {
      case "turn":
        if (running === undefined) add(began(`t${index}`, `«${index}» 😀\n`.repeat(index % 4)))
        return
      case "step":
        if (running !== undefined) add(stepped(`step ${index}`, `out ${index} `.repeat(index % 5 === 0 ? 3_000 : 3)))
        return
      case "pruned":
        if (running !== undefined) add({ _tag: "StepCompleted", step: step("pruned", "out"), pruned: true })
        return
      case "refused":
        if (running !== undefined) add({ _tag: "InputCounted", tokens: 1_000 * index })
        return
      case "cut":
        if (running === undefined) return
        add(
          index % 2 === 0
            ? { _tag: "StepInterrupted", partialText: "half" }
            : { _tag: "StepInterrupted", partialText: "whole", step: step("whole", "out") },
          end("interrupted")
        )
        return
      case "compact": {
        const newest = folded.projection.turns.at(-1)
        if (newest === undefined) return
        const total = (covered.get(newest.id) ?? 0) + newest.steps.length
        const inTurn = running !== undefined
        if (inTurn) covered.set(newest.id, total)
        const id = `c${index}`
        add(compacted(id, folded.projection, inTurn, total))
        return
      }
      case "fail":
        return add({ _tag: "CompactionFailed", ...attempt, fingerprint: `f${index}`, error: "no" })
      case "learn":
        return add({
          _tag: "LimitLearned",
          endpoint: "e",
          model: "m",
          limit: { window: 5_000 + index, guessed: false }
        })
      case "end":
        if (folded.running) add(end("finished"))
        return
    }
  })
  return batches
}

const movesUpTo = (maxLength: number) =>
  FastCheck.array(
    FastCheck.constantFrom<Move>(
      ...["turn", "turn", "step", "step", "step", "pruned", "refused"] as const,
      ...["cut", "compact", "fail", "learn", "end"] as const
    ),
    { minLength: 4, maxLength }
  )

/** The live session after its first `count` batches, when the process that ran its turn is gone. */
const live = (batches: ReadonlyArray<Batch>, count: number): Fold.Folded => {
  const folded = batches.slice(0, count).flat().reduce<Fold.Folded>(Fold.append, beginning)
  return folded.running === undefined
    ? folded
    : Fold.append(folded, { _tag: "TurnFinished", reason: "interrupted", usage: folded.running.usage })
}

const newline = 0x0a

interface Lines {
  readonly whole: Uint8Array
  /** How long the file is after each of its lines. */
  readonly ends: ReadonlyArray<number>
  /** The directory of what is too large for a line. */
  readonly side: string
}

const endsOf = (whole: Uint8Array) => {
  const ends: Array<number> = []
  for (let at = whole.indexOf(newline); at >= 0; at = whole.indexOf(newline, at + 1)) ends.push(at + 1)
  return ends
}

const linesOf = (directory: string, id: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const whole = yield* fs.readFile(`${directory}/${id}.jsonl`)
    return { whole, ends: endsOf(whole), side: `${directory}/${id}.files` } satisfies Lines
  })

const encode = Schema.encode(Line)

const noDisk = Layer.merge(FileSystem.layerNoop({}), Path.layer)

/** The same lines without a disk; nothing is kept beside them. */
const linesInMemory = (batches: ReadonlyArray<Batch>) =>
  Effect.gen(function*() {
    const all: ReadonlyArray<Batch> = [[yield* startRecord(start)], ...batches]
    const texts = yield* Effect.forEach(all, (batch) => encode(batch))
    const whole = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""))
    return { ends: endsOf(whole), side: "nothing", whole } satisfies Lines
  })

/** Dies after `length` bytes were written; the first line counts no batch. */
const dieAt = (directory: string, id: string, batches: ReadonlyArray<Batch>, length: number) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { ends, whole } = yield* linesOf(directory, id)
    const file = `${directory}/${id}.jsonl`
    yield* fs.writeFile(file, whole.slice(0, length))
    const acknowledged = ends.filter((end) => end <= length).length - 1
    const { notices, opened } = yield* reopened(id)
    assert.deepStrictEqual(opened, live(batches, acknowledged))
    assert.strictEqual(notices.length, ends.includes(length) ? 0 : 1)
    // Once repaired, it is whole.
    const again = yield* reopened(id)
    assert.deepStrictEqual(again.opened, opened)
    assert.deepStrictEqual(again.notices, [])
    yield* fs.writeFile(file, whole)
  })

/** A disk with these bytes in every file. */
const inMemory = (bytes: Uint8Array) =>
  FileSystem.layerNoop({
    open: () =>
      Effect.sync(() => {
        let at = 0
        const file: FileSystem.File = Object.create(null, {
          read: {
            value: (buffer: Uint8Array) =>
              Effect.sync(() => {
                const piece = bytes.subarray(at, at + buffer.length)
                buffer.set(piece)
                at += piece.length
                return piece.length
              })
          }
        })
        return file
      })
  })

/** What reading comes to after `length` bytes were written. */
const cutAt = (batches: ReadonlyArray<Batch>, { ends, side, whole }: Lines, length: number) =>
  Effect.gen(function*() {
    const { loadProjection } = yield* SideFiles.make(side)
    const acknowledged = ends.filter((end) => end <= length)
    const read = yield* TranscriptReader.fold("cut").pipe(Effect.provide(inMemory(whole.subarray(0, length))))
    assert.deepStrictEqual(
      { ...read.folded, projection: yield* loadProjection(read.folded.projection) },
      batches.slice(0, acknowledged.length - 1).flat().reduce(Fold.append, beginning)
    )
    assert.strictEqual(read.length, acknowledged.at(-1))
    assert.deepStrictEqual(read.torn, whole.slice(acknowledged.at(-1), length))
  })

describe("crashes", () => {
  const anyPoint = FastCheck.nat()
  const pointIn = ({ ends: [first = 0], whole }: Lines, point: number) => first + point % (whole.length - first + 1)

  // Live: nothing in it waits, and the clock of tests costs more than a run.
  it.live.prop(
    "[E04] fold(transcript) is the live conversation, for any history and any crash point",
    [movesUpTo(14), anyPoint],
    ([moves, point]) =>
      Effect.gen(function*() {
        const batches = play(moves)
        const lines = yield* linesInMemory(batches)
        yield* cutAt(batches, lines, pointIn(lines, point))
      }).pipe(Effect.provide(noDisk)),
    { fastCheck: { numRuns: 1_000 }, timeout: 60_000 }
  )

  it.live.prop(
    "[E04] so it is when the session is opened again, which repairs it",
    [movesUpTo(30), anyPoint],
    ([moves, point]) =>
      inDirectory((directory) =>
        Effect.gen(function*() {
          const batches = play(moves)
          const id = yield* written(batches)
          const lines = yield* linesOf(directory, id)
          yield* dieAt(directory, id, batches, pointIn(lines, point))
        })
      ),
    { fastCheck: { numRuns: 15 } }
  )

  it.effect("[E01] [E04] cut at every byte of a compaction and of the step before it", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const batches = play(["turn", "step", "compact"])
        const id = yield* written(batches)
        const lines = yield* linesOf(directory, id)
        const { ends, whole } = lines
        for (let length = ends.at(-3) ?? 0; length <= whole.length; length++) yield* cutAt(batches, lines, length)
        for (let length = ends.at(-3) ?? 0; length <= whole.length; length += 401) {
          yield* dieAt(directory, id, batches, length)
        }
      })
    ))

  it.effect("a turn that was running is settled as interrupted, with what its steps have cost", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const id = yield* written([[began("t1", "go")], [stepped("one", "abc")], [stepped("two", "defg")]])
        yield* reopened(id)
        const { records } = yield* Effect.flatMap(SessionStore, (store) => store.read(id))
        assert.deepStrictEqual(records.at(-1), {
          _tag: "TurnFinished",
          reason: "interrupted",
          usage: { ...usage(7), output: 14 }
        })
        assert.strictEqual(records.length, 5)
      })
    ))

  it.effect("a torn line is kept beside, also when it happens again", () =>
    inDirectory((directory) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const id = yield* written([[began("t1", "go")]])
        for (const torn of ["[{\"_tag\":\"Ste", "[{"]) {
          yield* fs.writeFileString(`${directory}/${id}.jsonl`, torn, { flag: "a" })
          const { notices } = yield* reopened(id)
          assert.include(notices[0] ?? "", `${id}.jsonl.torn`)
        }
        assert.strictEqual(yield* fs.readFileString(`${directory}/${id}.jsonl.torn`), "[{\"_tag\":\"Ste[{")
      })
    ))

  it.effect("a compaction that was taken back never happened; what came after it did", () =>
    inDirectory(() =>
      Effect.gen(function*() {
        const records: ReadonlyArray<Record> = [began("t1", "go"), stepped("one", "a"), stepped("two", "b")]
        const applied = compacted("c1", Fold.fold(records).projection, true, 2)
        const after = stepped("three", "c")
        const id = yield* written([...records, applied, after].map((record): Batch => [record]))
        const store = yield* SessionStore
        yield* Effect.scoped(Effect.gen(function*() {
          const { append, opened } = yield* store.open(id)
          const { checkpoint } = opened.projection
          if (checkpoint) yield* append([{ _tag: "CompactionUndone", checkpoint: checkpoint.id }])
        }))
        const without = Fold.fold([...records, after])
        assert.deepStrictEqual((yield* reopened(id)).opened.projection, without.projection)
        assert.deepStrictEqual(Fold.fold(yield* recordsOf(id)).projection, without.projection)
      })
    ))
})
