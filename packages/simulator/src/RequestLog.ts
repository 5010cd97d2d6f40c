/** Every request that reached the simulator, with what became of it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"

/** A request as rules see it; all numbers count from 0. */
export interface Arrival {
  readonly index: number
  /** `count`: it only asks how many tokens it holds. */
  readonly kind: "main" | "compaction" | "count"
  readonly indexOfKind: number
  /** Input tokens by the simulator's counter. */
  readonly tokens: number
}

/** `refused`: an HTTP error. `cut`: a fault ended or spoiled the reply. `aborted`: the client left. */
export type Outcome = "open" | "answered" | "refused" | "cut" | "aborted"

export interface LoggedRequest extends Arrival {
  readonly wire: string
  readonly method: string
  readonly path: string
  /** Keys are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, byte for byte. */
  readonly body: string
  /** The parsed body; undefined when it is no JSON. */
  readonly json: unknown
  /** Absent until headers are sent. */
  readonly status?: number
  readonly outcome: Outcome
}

export interface RequestLog {
  readonly all: Effect.Effect<ReadonlyArray<LoggedRequest>>
  readonly add: (request: Omit<LoggedRequest, "index" | "indexOfKind" | "outcome">) => Effect.Effect<LoggedRequest>
  /** Says more of an open request; what an outcome has closed stays as it is. */
  readonly settle: (index: number, change: Partial<Pick<LoggedRequest, "status" | "outcome">>) => Effect.Effect<void>
  /** The first state of the log in which `select` finds something. */
  readonly await: <A>(
    select: (requests: ReadonlyArray<LoggedRequest>) => A | undefined
  ) => Effect.Effect<A>
}

const secrets = new Set(["authorization", "api-key", "x-api-key", "x-goog-api-key", "x-amz-security-token", "cookie"])

export const redact = (headers: Readonly<Record<string, string | undefined>>): LoggedRequest["headers"] =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, secrets.has(name.toLowerCase()) ? "[redacted]" : value]]
    )
  )

export const make: Effect.Effect<RequestLog> = Effect.map(
  SubscriptionRef.make<ReadonlyArray<LoggedRequest>>([]),
  (ref): RequestLog => ({
    add: (request) =>
      SubscriptionRef.modify(ref, (requests) => {
        const logged: LoggedRequest = {
          ...request,
          index: requests.length,
          indexOfKind: requests.filter(({ kind }) => kind === request.kind).length,
          outcome: "open"
        }
        return [logged, [...requests, logged]]
      }),
    all: SubscriptionRef.get(ref),
    await: (select) =>
      ref.changes.pipe(
        Stream.filterMap((requests) => Option.fromNullable(select(requests))),
        Stream.runHead,
        Effect.flatMap(Option.match({ onNone: () => Effect.never, onSome: Effect.succeed }))
      ),
    settle: (index, change) =>
      SubscriptionRef.update(
        ref,
        (requests) =>
          requests.map((request) =>
            request.index === index && request.outcome === "open" ? { ...request, ...change } : request
          )
      )
  })
)
