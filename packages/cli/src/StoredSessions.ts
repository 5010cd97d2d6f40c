/** What the commands of `weir sessions` do. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Refusal from "@weir/model/Refusal"
import * as Branch from "@weir/session/Branch"
import * as Overview from "@weir/session/Overview"
import { SessionStore, type Stored as Session } from "@weir/session/SessionStore"
import type { TranscriptError } from "@weir/session/TranscriptError"
import { grouped } from "@weir/tui/Figures"
import { visible } from "@weir/tui/Visible"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import * as SessionText from "./SessionText.js"
import * as Stored from "./Stored.js"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

/** Foreign text is shown on a terminal, not obeyed. */
const print = Effect.fnUntraced(function*(text: string) {
  const { stdout } = yield* Host
  const lines = text === "" ? "" : `${text}\n`
  yield* stdout.write(stdout.isTerminal ? visible(lines) : lines)
})

const say = Effect.fnUntraced(function*(lines: ReadonlyArray<string>) {
  const { stderr } = yield* Host
  yield* Effect.forEach(lines, (line) => stderr.write(`weir: ${line}\n`), { discard: true })
})

/** With the stored sessions. */
const stored = <A, E, R>(self: Effect.Effect<A, E | TranscriptError, R>) =>
  self.pipe(Stored.asUsage, Effect.provide(Stored.layer))

const read = (id: string) =>
  Effect.flatMap(SessionStore, (store) => store.read(id)).pipe(Effect.tap(({ notices }) => say(notices)))

const newestFirst = (all: ReadonlyArray<Overview.Overview>) =>
  all.toSorted((a, b) => DateTime.Order(b.changedAt, a.changedAt))

export const list = stored(Effect.gen(function*() {
  const here = yield* WorkingDirectory.absolute(".")
  const all = newestFirst(yield* Effect.flatMap(SessionStore, (store) => store.overviews))
  const own = all.filter(({ cwd }) => cwd === here)
  const others = all.filter(({ cwd }) => cwd !== here)
  const now = yield* DateTime.now
  yield* print(
    all.length === 0
      ? "There are no sessions yet. Start one with: weir run \"your question\""
      : [
        ...(own.length > 0 ? [`In ${here}:`, SessionText.table(own, now)] : []),
        ...(others.length > 0 ? [...(own.length > 0 ? [""] : []), "Elsewhere:", SessionText.table(others, now)] : [])
      ].join("\n")
  )
}))

export const show = (id: string) => stored(Effect.flatMap(read(id), (session) => print(SessionText.describe(session))))

export const replay = (id: string) => stored(Effect.flatMap(read(id), (session) => print(SessionText.replay(session))))

export const rename = Effect.fnUntraced(function*(id: string, title: string) {
  if (title.trim() === "") return yield* new UsageError({ message: "The new name is empty. Give it after the id." })
  yield* Branch.rename(id, title)
}, stored)

/** With the outputs of its tools. */
export const remove = (prefix: string) =>
  stored(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const store = yield* SessionStore
    const id = yield* store.remove(prefix)
    const outputs = Home.outputsOf(yield* Path.Path, yield* Home.locate, id)
    yield* Effect.catchAll(
      fs.remove(outputs, { force: true, recursive: true }),
      (error) => say([`The outputs of its tools in ${outputs} could not be deleted: ${Refusal.words(error)}`])
    )
    yield* print(`Deleted ${id}.`)
  }))

/** Prints the new session's id alone. */
export const fork = (id: string, at: number | undefined) => stored(Effect.flatMap(Branch.fork(id, at), print))

export const undo = (id: string) =>
  stored(Effect.gen(function*() {
    const undone = yield* Branch.undoCompaction(id)
    yield* print(
      undone === undefined
        ? "There is no compaction to take back."
        : `Took back the compaction of ${grouped(undone.before)} to ${grouped(undone.after)} tokens.`
    )
  }))

const unwritable = () => new UsageError({ message: "The session cannot be written as JSON." })

/** Where the catalogue knows them. */
const pricesOf = ({ records, start }: Session) =>
  Effect.gen(function*() {
    const { model = start.model, provider = start.provider } = records.reduce(Overview.append, Overview.empty)
    const Catalogue = yield* Effect.promise(() => import("@weir/catalogue/Catalogue"))
    return Option.getOrUndefined(
      Option.flatMapNullable(yield* Catalogue.lookup(provider, model), ({ prices }) => prices)
    )
  })

const rendered = Effect.fnUntraced(function*(session: Session, format: "md" | "json" | "html") {
  switch (format) {
    case "md": {
      const { render } = yield* Effect.promise(() => import("@weir/session/ExportMarkdown"))
      return render(session)
    }
    case "json": {
      const { render } = yield* Effect.promise(() => import("@weir/session/ExportJson"))
      return `${yield* Effect.mapError(render(session), unwritable)}\n`
    }
    case "html": {
      const { render } = yield* Effect.promise(() => import("@weir/session/ExportHtml"))
      return render(session, yield* pricesOf(session))
    }
  }
})

export const exported = (id: string, format: "md" | "json" | "html") =>
  stored(Effect.gen(function*() {
    const { stdout } = yield* Host
    yield* stdout.write(yield* rendered(yield* read(id), format))
  }))

/** Prints the new session's id alone. */
export const imported = (given: string) =>
  stored(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const file = yield* WorkingDirectory.absolute(given)
    const text = yield* Effect.mapError(
      fs.readFileString(file),
      (error) =>
        new UsageError({ message: `${file} cannot be read: ${Refusal.words(error)}. Check its name and permissions.` })
    )
    const { parse } = yield* Effect.promise(() => import("@weir/session/Import"))
    const { cwd, model, program, records } = yield* Effect.mapError(
      parse(text, file),
      ({ message }) => new UsageError({ message })
    )
    const store = yield* SessionStore
    const here = yield* WorkingDirectory.absolute(".")
    const { start: { id } } = yield* Effect.scoped(store.create(
      { cwd: cwd ?? here, model: model ?? "unknown", provider: program, origin: { _tag: "Import", program, file } },
      records
    ))
    yield* print(id)
  }))
