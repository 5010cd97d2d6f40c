/**
 * Asks the model for a summary until there is one: of the history as it is, with its oldest tool outputs left out, or
 * part by part. Passing faults are retried; each time that a request is refused as too large, the next ones hold at
 * most half of it. What has more bytes than may be sent is made smaller before it is sent.
 */
import * as Model from "@weir/model/Model"
import { ContextWindowExceeded, type ModelError } from "@weir/model/ModelError"
import type { ModelEvent } from "@weir/model/ModelEvent"
import * as Reply from "@weir/model/Reply"
import * as Usage from "@weir/model/Usage"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Acceptance from "./Acceptance.js"
import type { Strategy } from "./Account.js"
import * as ByteSize from "./ByteSize.js"
import * as CachedPrefix from "./CachedPrefix.js"
import { type CompactionError, SummarizerFailed } from "./CompactionError.js"
import type { Reduction } from "./Reduction.js"
import * as SummaryRequest from "./SummaryRequest.js"

/** Sees the text of the summary, not those of its parts, as it arrives. `isFirst`: what came before is void. */
export type OnText = (delta: string, isFirst: boolean) => Effect.Effect<void>

/** Told what a request has cost as soon as it is answered, also where no summary comes of it. */
export type OnUsage = (usage: Usage.Usage) => Effect.Effect<void>

export interface SummarizerOptions extends Omit<CachedPrefix.CachedPrefixOptions, "fault" | "reasons"> {
  readonly model: Model.Model["Type"]
  readonly sessionId: string
  /** The retry policy for passing faults of the model. */
  readonly retry: <A, R>(self: Effect.Effect<A, ModelError, R>) => Effect.Effect<A, ModelError, R>
  readonly onText?: OnText
  readonly onUsage?: OnUsage
  readonly judge: (reply: Reply.Reply, request: SummaryRequest.SummaryRequest) => Acceptance.Verdict
}

/** How far a summary has come. */
export interface Progress {
  readonly strategy: Strategy
  /** The most input of a request, in tokens. */
  readonly limit: number
  /** Whether the model is known to reason. */
  readonly reasons: boolean
  /** Absent while the whole history may fit one request. */
  readonly reduction?: Reduction
  /** Whether one more, stricter request may follow a faulty answer. */
  readonly mayAskAgain: boolean
}

export interface Answer extends Acceptance.Verdict {
  /** From here a second answer can be asked for. */
  readonly progress: Progress
}

interface Next extends SummaryRequest.Reduced {
  readonly progress: Progress
}

export interface Summarizer {
  readonly summarize: (progress: Progress, fault?: Acceptance.Fault) => Effect.Effect<Answer, CompactionError>
  /** Of all requests so far. */
  readonly spent: Effect.Effect<Usage.Usage>
}

export const make = Effect.fnUntraced(function*(options: SummarizerOptions): Effect.fn.Return<Summarizer> {
  const { budget, judge, model, retry, sessionId } = options
  const { onText = () => Effect.void, onUsage = () => Effect.void } = options
  const usage = yield* Ref.make(Usage.zero)
  const spent = Ref.get(usage)
  const spend = (one: Usage.Usage) => Effect.zipRight(Ref.update(usage, (sum) => Usage.add(sum, one)), onUsage(one))

  const read = Effect.fnUntraced(function*({ request, summarized }: SummaryRequest.Reduced) {
    let reply = Reply.empty
    let isFirst = true
    const receive = Effect.fnUntraced(function*(events: Iterable<ModelEvent>) {
      for (const event of events) {
        reply = Reply.append(reply, event)
        if (summarized || event._tag !== "TextDelta") continue
        yield* onText(event.text, isFirst)
        isFirst = false
      }
    })
    const { maxOutputTokens, prompt } = request
    yield* Model.read(model.start(prompt).open({ maxOutputTokens, sessionId }), receive)
    return reply
  })

  const send = (next: SummaryRequest.Reduced) =>
    read(next).pipe(
      retry,
      Effect.tap((reply) => reply.usage ? spend(reply.usage) : Effect.void)
    )

  const failed = (error: ModelError) => Effect.flatMap(spent, (usage) => new SummarizerFailed({ error, usage }))

  const tooLarge = (sizes: SummaryRequest.TooLarge) =>
    failed(
      new ContextWindowExceeded({ provider: model.provider, model: model.id, detail: "", kind: "tokens", ...sizes })
    )

  const inputLimit = ({ limit, reasons }: Progress): number => limit - SummaryRequest.allowance({ budget, reasons })

  /** The next request, and the progress by which it is the next. */
  const next = (progress: Progress, fault?: Acceptance.Fault): Either.Either<Next, SummaryRequest.TooLarge> => {
    const { reasons, strategy } = progress
    const wanted = { ...options, reasons, ...(fault && { fault: Acceptance.describe(fault) }) }
    const cached = strategy === "cached-prefix" ? CachedPrefix.make(wanted, progress.limit) : Option.none()
    if (Option.isSome(cached)) return Either.right({ request: cached.value, progress })
    return isolated({ ...progress, strategy: "isolated" }, wanted)
  }

  const isolated = (
    progress: Progress,
    wanted: SummaryRequest.SummaryRequestOptions
  ): Either.Either<Next, SummaryRequest.TooLarge> => {
    const whole = progress.reduction ? Either.left(undefined) : SummaryRequest.whole(wanted, inputLimit(progress))
    if (Either.isRight(whole)) return Either.right({ request: whole.right, progress })
    const reduction = progress.reduction ?? SummaryRequest.reduction(wanted)
    return Either.map(
      SummaryRequest.reduced(wanted, reduction, inputLimit(progress)),
      (reduced) => ({ ...reduced, progress: { ...progress, reduction } })
    )
  }

  const summarize: Summarizer["summarize"] = Effect.fn("Summarizer.summarize")(function*(from, fault) {
    let progress = from
    let partFault: Acceptance.Fault | undefined
    while (true) {
      const found = next(progress, partFault ?? fault)
      if (Either.isLeft(found)) return yield* tooLarge(found.left)
      const { request, summarized } = found.right
      progress = found.right.progress
      const bytes = ByteSize.prompt(request.prompt)
      if (bytes > budget.bytes.limit) {
        progress = { ...progress, limit: Math.floor(request.tokens * Math.min(0.9, budget.bytes.limit / bytes)) }
        continue
      }
      const answer = yield* Effect.either(send(found.right))
      if (Either.isLeft(answer)) {
        // What the provider rejects in the conversation, it may take as text.
        if (answer.left._tag === "InvalidRequest" && progress.strategy === "cached-prefix") {
          progress = { ...progress, strategy: "isolated" }
          continue
        }
        if (answer.left._tag !== "ContextWindowExceeded") return yield* failed(answer.left)
        progress = { ...progress, limit: Math.floor(request.tokens / 2), strategy: "isolated" }
        continue
      }
      progress = { ...progress, reasons: progress.reasons || Reply.hasReasoned(answer.right) }
      if (summarized === undefined) return { ...judge(answer.right, request), progress }
      const part = Acceptance.judgePart(answer.right, request.echoes)
      partFault = part.faults[0]
      if (partFault === undefined) progress = { ...progress, reduction: summarized(part.summary) }
      else if (progress.mayAskAgain) progress = { ...progress, mayAskAgain: false }
      else return yield* Acceptance.fromFault(partFault, yield* spent)
    }
  })

  return { summarize, spent }
})
