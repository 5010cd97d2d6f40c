/** How a simulator is to behave. */
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { FaultRule } from "./Fault.js"
import type { Arrival } from "./RequestLog.js"
import type { Script } from "./Script.js"
import type { SummaryBehaviour } from "./Summary.js"
import type { CounterOptions } from "./TokenCounter.js"

export const defaultWindow = 128_000

/**
 * What must fit the window: the `prompt` alone (the default), or its `sum` with the output limit. A provider may also
 * `truncate` what is too long, and report only the window as read, or `accept` it all; neither says a word.
 */
export const Enforce = Schema.Literal("prompt", "sum", "truncate", "accept")
export type Enforce = typeof Enforce.Type

export interface Options {
  readonly script: Script
  /** 0, the default, takes a free port. */
  readonly port?: number | undefined
  /** Requests must carry this key; without one any request is let in. */
  readonly apiKey?: Redacted.Redacted | undefined
  /** How many requests an access token is good for that a login here has given; any number by default. */
  readonly accessTokenUses?: number | undefined
  /** Known model ids. By default every id is known. */
  readonly models?: ReadonlyArray<string> | undefined
  /** The context window, in tokens; 128,000 by default. */
  readonly window?: number | ((arrival: Arrival) => number) | undefined
  readonly enforce?: Enforce | undefined
  /** The largest output limit that a request may ask for, in tokens; by default what the API's own models take. */
  readonly maxOutput?: number | undefined
  /** The largest body, in bytes; larger ones get status 413. An API's own limit stays beside it. */
  readonly maxBodyBytes?: number | undefined
  readonly counter?: CounterOptions | undefined
  /** How compaction requests are answered: always, or one by one with the last staying. `good` by default. */
  readonly summary?: SummaryBehaviour | ReadonlyArray<SummaryBehaviour> | undefined
  /** The first rule that applies to a request decides. */
  readonly faults?: ReadonlyArray<FaultRule> | undefined
}
