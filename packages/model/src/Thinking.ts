/** How much a model may reason before it answers. Each codec has its own way to ask for it; none asks unasked. */
import * as Schema from "effect/Schema"

export const Thinking = Schema.Literal("off", "low", "medium", "high")
export type Thinking = typeof Thinking.Type
