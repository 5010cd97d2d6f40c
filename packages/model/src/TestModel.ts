/** A model without a network, for tests: it answers from a function and remembers what it was asked. */
import * as Chunk from "effect/Chunk"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Entry } from "./Conversation.js"
import * as Model from "./Model.js"
import type { ModelError } from "./ModelError.js"
import { ModelEvent } from "./ModelEvent.js"
import type { Prompt } from "./Prompt.js"
import type { Usage } from "./Usage.js"

export interface Asked {
  readonly prompt: Prompt
  readonly options: Model.SendOptions
}

export type Answer = Stream.Stream<ModelEvent, ModelError>

/** An answer as codecs give it, which takes a small part of a stream's time. */
export type Opening = Effect.Effect<Model.Pull, ModelError, Scope.Scope>

/** Says all that together, then ends; well when no other end is given. */
export const saying = (
  events: ReadonlyArray<ModelEvent>,
  end: Effect.Effect<never, Option.Option<ModelError>> = Effect.fail(Option.none())
): Opening =>
  Effect.sync(() => {
    let isSaid = false
    return Effect.suspend(() => {
      if (isSaid) return end
      isSaid = true
      return Effect.succeed(Chunk.unsafeFromArray(events))
    })
  })

/** A whole reply: text, then calls `[name, arguments]` with ids made from `id`. */
export const reply = (options: {
  readonly text?: string
  readonly calls?: ReadonlyArray<readonly [name: string, args: string]>
  readonly id?: string
  readonly usage?: Usage
}): Answer => {
  const calls = options.calls ?? []
  return Stream.fromIterable([
    ...(options.text === undefined ? [] : [ModelEvent.TextDelta({ text: options.text })]),
    ...calls.map(([name, args], index) =>
      ModelEvent.CallFinished({
        call: { _tag: "ToolCall", id: `${options.id ?? "call"}-${index}`, name, arguments: args }
      })
    ),
    ModelEvent.Finished({ stop: calls.length > 0 ? "calls" : "end", ...(options.usage && { usage: options.usage }) })
  ])
}

/** An answer that begins only after a while. */
export const after = (delay: Duration.DurationInput, answer: Answer): Answer =>
  Stream.unwrap(Effect.as(Effect.sleep(delay), answer))

export interface TestModel {
  readonly model: Model.Model["Type"]
  /** Every request so far, oldest first. */
  readonly asked: ReadonlyArray<Asked>
}

/** `answer` sees the request and how many came before it. */
export const make = (
  limits: Model.Limits,
  answer: (asked: Asked, index: number) => Answer | Opening,
  options: { readonly cachesPrompts?: boolean; readonly id?: string; readonly weights?: Partial<Model.Weights> } = {}
): TestModel => {
  const asked: Array<Asked> = []
  const codec: Model.ModelCodec<Prompt> = {
    name: "test",
    cachesPrompts: options.cachesPrompts ?? false,
    weights: { perEntry: 4, perCall: 10, perImage: 1_500, replaysReasoning: false, ...options.weights },
    start: (prompt) => prompt,
    append: (prompt, entry: Entry) => ({ ...prompt, entries: [...prompt.entries, entry] }),
    open: (prompt, options) =>
      Effect.suspend(() => {
        const index = asked.push({ prompt, options }) - 1
        const given = answer({ prompt, options }, index)
        return Effect.isEffect(given) ? given : Stream.toPull(given)
      })
  }
  return { model: Model.make({ provider: "test", id: options.id ?? "test-model", limits, codec }), asked }
}
