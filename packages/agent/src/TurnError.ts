/** Everything that can end a turn badly; each error's message says what to do. */
import { CompactionError } from "@weir/compaction/CompactionError"
import { ModelError } from "@weir/model/ModelError"
import { TranscriptError } from "@weir/session/TranscriptError"
import * as Schema from "effect/Schema"

export const TurnError = Schema.Union(ModelError, CompactionError, TranscriptError)
export type TurnError = typeof TurnError.Type
