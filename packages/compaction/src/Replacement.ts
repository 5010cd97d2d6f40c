/** The text that stands for compacted history. It is rendered from the parts of a checkpoint, and never parsed. */
import type { Step } from "@weir/model/Conversation"
import { exchanges } from "@weir/model/Conversation"
import type { Checkpoint } from "./Checkpoint.js"
import * as Cut from "./Cut.js"
import * as Ledger from "./Ledger.js"
import * as Tags from "./Tags.js"

/** The first part alone: what precedes the turns that stay verbatim. */
export const beforeTurns = (checkpoint: Checkpoint): string => compactedContext(checkpoint, undefined)

/**
 * Both parts: the summary, and the running turn's user message byte for byte. `unread` is the newest covered step,
 * when its results follow the summary.
 */
export const withTask = (checkpoint: Checkpoint, task: string, unread?: Step): string =>
  `${compactedContext(checkpoint, unread)}

<last_user_message>
The following is the most recent user message. Treat it as the current
task and its requirements as authoritative.

${task}
</last_user_message>`

const compactedContext = (checkpoint: Checkpoint, unread: Step | undefined): string =>
  `<compacted_context>
The prior conversation context was compacted${checkpoint.kind === "manual" ? "" : " automatically"} to fit the
model's context window. The following summary preserves relevant goals,
constraints, progress, discoveries, tool results, and pending work.

${Tags.escape(sections(checkpoint, unread).join("\n\n"), Tags.replacement)}
</compacted_context>`

/** The model's summary, then what Weir adds by rule. */
const sections = ({ ledger, summary }: Checkpoint, unread: Step | undefined): ReadonlyArray<string> => [
  summary,
  ...section("Files and commands so far, newest first", ledger.facts.map((fact) => `- ${Ledger.describe(fact)}`)),
  ...section("Earlier user messages, verbatim, newest first", ledger.instructions.map(instruction)),
  ...section("Results of the newest tool calls, not read yet", unread ? results(unread) : [])
]

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`## ${title}\n\n${lines.join("\n")}`]

const instruction = ({ head, omitted, tail }: Ledger.Instruction, index: number): string =>
  `${index + 1}. ${head}${omitted === 0 ? "" : Cut.note(omitted)}${tail}`

const results = (step: Step): ReadonlyArray<string> =>
  exchanges(step).map(({ call, result }) => {
    const images = result.images.length === 0 ? "" : `\n[${result.images.length} image(s) left out]`
    return `### ${call.name} ${call.arguments}${result.isError ? " (failed)" : ""}\n${result.text}${images}`
  })
