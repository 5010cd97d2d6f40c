/**
 * A compaction that the user asked for. While a turn runs it waits for the turn's next boundary, else for the session
 * to be free. It does what an automatic one does, and shows its summary.
 */
import type { Place } from "@weir/compaction/Account"
import * as Usage from "@weir/model/Usage"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import type * as Scope from "effect/Scope"
import * as CompactionRun from "./CompactionRun.js"
import type { ManualCompactionEnd, SessionEvent } from "./SessionEvent.js"

export interface ManualCompaction {
  /** Waits for its turn, compacts, and says what became of it. Interrupting the caller cancels it. */
  readonly compact: (focus: string) => Effect.Effect<ManualCompactionEnd>
  /** Carries out what is waiting; the session calls it where a compaction may take place. */
  readonly atBoundary: (place: Place) => Effect.Effect<void>
}

interface Waiting {
  readonly focus: string
  readonly end: Deferred.Deferred<ManualCompactionEnd>
}

/** Before anything was asked for. */
const cancelled: ManualCompactionEnd = { _tag: "Unchanged", because: "cancelled", usage: Usage.zero }

const endOf = CompactionRun.End.$match({
  Applied: ({ applied }): ManualCompactionEnd => ({ _tag: "Compacted", ...applied }),
  Cancelled: ({ attempt: { usage } }): ManualCompactionEnd => ({ _tag: "Unchanged", because: "cancelled", usage }),
  Failed: ({ attempt, error }): ManualCompactionEnd => ({ _tag: "Failed", ...attempt, error })
})

const grouped = (count: number): string => count.toLocaleString("en-US")

export const make = Effect.fnUntraced(function*(options: {
  readonly compactions: CompactionRun.CompactionRun
  /** Runs an effect while no turn does. */
  readonly whenFree: <A>(effect: Effect.Effect<A>) => Effect.Effect<A>
  readonly publish: (event: SessionEvent) => Effect.Effect<void>
}): Effect.fn.Return<ManualCompaction, never, Scope.Scope> {
  const { compactions, publish, whenFree } = options
  const waiting = yield* Ref.make<ReadonlyArray<Waiting>>([])
  const fibers = yield* FiberSet.make<void, never>()

  const finished = (end: ManualCompactionEnd): SessionEvent => ({ _tag: "ManualCompactionFinished", end })

  const compact = ({ end, focus }: Waiting, place: Place): Effect.Effect<ManualCompactionEnd> =>
    compactions.run({
      place,
      reason: "asked",
      focus,
      mayAskAgain: true,
      onText: (text, isFirst) => publish({ _tag: "ManualSummaryDelta", text, isFirst }),
      started: (sizes) => ({ _tag: "ManualCompactionStarted", focus, ...sizes }),
      ended: (end) => finished(endOf(end)),
      isAlwaysTold: true,
      count: (result) => Effect.asVoid(Deferred.succeed(end, endOf(result))),
      status: ({ after, before }) => `Compacted ${grouped(before)} to ${grouped(after)} tokens.`
    }).pipe(
      Effect.flatMap(Option.match({
        onNone: () => {
          const end: ManualCompactionEnd = { _tag: "Unchanged", because: "nothing-to-compact", usage: Usage.zero }
          return Effect.as(publish(finished(end)), end)
        },
        onSome: (end) => Effect.succeed(endOf(end))
      }))
    )

  /** Takes one off the list, so that nobody else carries it out, and leaves nobody waiting for it. */
  const carryOut = (take: (all: ReadonlyArray<Waiting>) => Option.Option<Waiting>, place: Place) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function*() {
        const taken = yield* Ref.modify(waiting, (all) => {
          const one = take(all)
          return [one, Option.isSome(one) ? all.filter((other) => other !== one.value) : all]
        })
        if (Option.isNone(taken)) return false
        const exit = yield* Effect.exit(restore(compact(taken.value, place)))
        yield* Deferred.succeed(taken.value.end, Exit.getOrElse(exit, () => cancelled))
        yield* exit
        return true
      })
    )

  return {
    compact: Effect.fn("ManualCompaction.compact")(function*(focus) {
      const end = yield* Deferred.make<ManualCompactionEnd>()
      const mine: Waiting = { focus, end }
      const own = (all: ReadonlyArray<Waiting>) => all.includes(mine) ? Option.some(mine) : Option.none()
      const withdraw = Effect.gen(function*() {
        const isWaiting = yield* Ref.modify(waiting, (all) => [all.includes(mine), all.filter((one) => one !== mine)])
        if (isWaiting) yield* Deferred.succeed(end, cancelled)
        else if (!(yield* Deferred.isDone(end))) yield* compactions.cancel
        yield* Deferred.await(end)
      })
      return yield* Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          yield* Ref.update(waiting, (all) => [...all, mine])
          yield* FiberSet.run(
            fibers,
            Effect.interruptible(Effect.asVoid(whenFree(carryOut(own, "between-turns")))).pipe(
              Effect.ensuring(Deferred.succeed(end, cancelled))
            )
          )
          return yield* restore(Deferred.await(end)).pipe(Effect.onInterrupt(() => withdraw))
        })
      )
    }),
    atBoundary: Effect.fnUntraced(function*(place) {
      while ((yield* Ref.get(waiting)).length > 0) yield* carryOut((all) => Option.fromNullable(all[0]), place)
    })
  }
})
