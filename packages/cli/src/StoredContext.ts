/** What `weir context` shows of a stored session, and what `weir compact` makes of it. */
import type { ContextReport } from "@weir/agent/ContextReport"
import { Session } from "@weir/agent/Session"
import type { Folded } from "@weir/session/Fold"
import { SessionStore } from "@weir/session/SessionStore"
import type { Transcript } from "@weir/session/Transcript"
import { grouped } from "@weir/tui/Figures"
import { visible } from "@weir/tui/Visible"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ContextText from "./ContextText.js"
import { Host } from "./Host.js"
import * as Opening from "./Opening.js"
import * as Settings from "./Settings.js"
import * as Stored from "./Stored.js"

interface Asked {
  readonly id: string
  readonly cwd: Option.Option<string>
  readonly flags: Settings.Settings
}

const print = Effect.fnUntraced(function*(lines: ReadonlyArray<string>) {
  const { stdout } = yield* Host
  const text = `${lines.join("\n")}\n`
  yield* stdout.write(stdout.isTerminal ? visible(text) : text)
})

/** The model that led the session last. */
const ownModel = ({ opened, start }: Transcript["Type"]): Settings.Settings => {
  const { model, provider } = opened.model ?? start
  return Schema.is(Settings.ProviderName)(provider) ? { provider, ...(provider !== "offline" && { model }) } : {}
}

/**
 * The session as its next turn would have it: in its own directory and with its own model, unless others are named.
 * `only` to look at it: it may be open elsewhere, or lie where nothing can be written.
 */
const withSession = <A, E, R>(asked: Asked, only: "look" | "open", body: (opened: Folded) => Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { stderr } = yield* Host
    const transcript = yield* Effect.flatMap(SessionStore, (store) => store[only](asked.id))
    yield* Effect.forEach(transcript.notices, (line) => stderr.write(`weir: ${line}\n`), { discard: true })
    const isNamed = asked.flags.provider !== undefined || asked.flags.model !== undefined
    const place = yield* Opening.place({
      cwd: Option.orElse(asked.cwd, () => Option.some(transcript.start.cwd)),
      flags: isNamed ? asked.flags : { ...ownModel(transcript), ...asked.flags }
    })
    const { model } = yield* Opening.chooseModel(place)
    const session = yield* Opening.sessionLayer({ model, place, store: true, transcript })
    return yield* Effect.provide(body(transcript.opened), session)
  }).pipe(Effect.scoped, Stored.asUsage, Effect.provide(Stored.layer))

export const showContext = (asked: Asked) =>
  withSession(asked, "look", (opened) =>
    Effect.gen(function*() {
      const { context } = yield* Session
      yield* print(ContextText.lines(yield* context, opened.compactions))
    }))

const nothing = "There is nothing to compact."

const planned = ({ compaction }: ContextReport): ReadonlyArray<string> =>
  Option.match(compaction, {
    onNone: () => [nothing],
    onSome: ({ after, before, coverage, covered, summary }) => [
      ContextText.row("goes, tokens", covered),
      ContextText.row("whole turns", coverage.turns.length),
      ...(coverage.partial ? [ContextText.row("steps of the turn after", coverage.partial.steps)] : []),
      ContextText.row("before", before),
      ContextText.row("after, without summary", after),
      ContextText.row("the summary, at most", summary),
      "Nothing was changed."
    ]
  })

/** Succeeds with the exit code. */
export const compactStored = (asked: Asked & { readonly focus: string; readonly dryRun: boolean }) =>
  withSession(asked, asked.dryRun ? "look" : "open", () =>
    Effect.gen(function*() {
      const { compact, context } = yield* Session
      if (asked.dryRun) {
        yield* print(planned(yield* context))
        return 0
      }
      const end = yield* compact(asked.focus)
      switch (end._tag) {
        case "Compacted":
          yield* print([`Compacted ${grouped(end.before)} to ${grouped(end.after)} tokens.`])
          return 0
        case "Unchanged":
          yield* print([nothing])
          return 0
        case "Failed": {
          const { stderr } = yield* Host
          yield* stderr.write(`weir: ${end.error.message}\n`)
          return 1
        }
      }
    }))
