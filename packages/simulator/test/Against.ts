/** Tests that each ask a simulator of their own: `it.layer` would leave its runtime to every later file of its worker. */
import { it } from "@effect/vitest"
import type { Simulator } from "@weir/simulator/Simulator"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"

interface Tester {
  readonly effect: <E>(title: string, self: () => Effect.Effect<void, E, Simulator>) => void
}

export const against = <E>(simulator: Layer.Layer<Simulator, E>, tests: (it: Tester) => void) =>
  tests({ effect: (title, self) => it.effect(title, () => Effect.provide(self(), simulator)) })
