/** A session over a real codec on the simulator, in one process, that looks at things and then answers. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Session from "@weir/agent/Session"
import type { SessionEvent } from "@weir/agent/SessionEvent"
import * as Compaction from "@weir/compaction/Compaction"
import { userMessage } from "@weir/model/Conversation"
import { type Limits, Model } from "@weir/model/Model"
import * as SessionStore from "@weir/session/SessionStore"
import { Transcript } from "@weir/session/Transcript"
import type { Options } from "@weir/simulator/Options"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { tool } from "../../agent/test/fixture.js"
import type { Codec } from "./Codecs.js"

export const system = "You are exact, and brief."
export const task = "Read all of it — «twice» — and say:\n\tdone \"😀\" \\ then stop."
export const answer = "All of it is read."
export const steps = 16

/** About 2,000 tokens, different for every call. */
export const look = () =>
  tool("look", (_, call) =>
    Effect.succeed(
      Array.from({ length: 110 }, (_, line) => `item ${call}-${line}: state ${line % 7}, checked after ${line * 13} ms`)
        .join("\n")
    ))

/** A thought before each of some calls, one call at a time, then the answer. */
export const looking = (calls: number): Script.Script =>
  Script.sequence([
    {
      at: (index) => ({
        parts: [Script.reasoning(`Now number ${index} is due.`), Script.call("look", { number: index })]
      }),
      length: calls
    },
    Script.reply(answer)
  ])

export const start = Effect.fnUntraced(function*(codec: Codec, options: {
  readonly simulator?: Partial<Options>
  readonly limits?: Partial<Limits>
  readonly settings?: Partial<Session.SessionOptions>
  readonly prompt?: string
}) {
  const simulator = yield* Simulator.make({ script: looking(steps), window: 16_384, ...options.simulator })
  const model = codec.model(simulator, { outputCap: 1_000, source: "declared", window: 16_384, ...options.limits })
  const store = yield* Effect.provide(SessionStore.SessionStore, SessionStore.layerMemory)
  const transcript = yield* store.create({ cwd: "/", model: model.id, provider: model.provider })
  const session = yield* Session.make({
    ...Session.defaults,
    idleTimeout: Duration.zero,
    outputDirectory: "/nowhere",
    systemPrompt: system,
    tools: [look(), tool("note", () => Effect.succeed("Noted."))],
    ...options.settings
  }).pipe(
    Effect.provide([
      Compaction.layer,
      LimitStore.layerMemory,
      Layer.succeed(Model, model),
      Layer.succeed(Transcript, transcript)
    ])
  )
  const told = yield* session.subscribe
  const result = yield* session.prompt(userMessage(options.prompt ?? task))
  const events: ReadonlyArray<SessionEvent> = Array.from(yield* Queue.takeAll(told))
  const requests = yield* simulator.requests
  const tags = events.map(({ _tag }) => _tag)
  return {
    events,
    main: requests.filter(({ kind }) => kind === "main"),
    refused: requests.filter(({ kind, outcome }) => kind === "main" && outcome !== "answered"),
    requests,
    result,
    summaries: requests.filter(({ kind }) => kind === "compaction"),
    times: (tag: SessionEvent["_tag"]) => tags.filter((one) => one === tag).length
  }
}, Effect.provide(NodeContext.layer))
