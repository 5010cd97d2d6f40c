/** How many replies each client session has completely received: where its script stands. */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"

export interface Progress {
  readonly delivered: (session: string) => Effect.Effect<number>
  readonly advance: (session: string) => Effect.Effect<void>
}

export const make: Effect.Effect<Progress> = Effect.map(
  Ref.make(HashMap.empty<string, number>()),
  (ref): Progress => {
    const of = (counts: HashMap.HashMap<string, number>, session: string) =>
      Option.getOrElse(HashMap.get(counts, session), () => 0)
    return {
      advance: (session) => Ref.update(ref, (counts) => HashMap.set(counts, session, of(counts, session) + 1)),
      delivered: (session) => Effect.map(Ref.get(ref), (counts) => of(counts, session))
    }
  }
)
