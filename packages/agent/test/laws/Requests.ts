/** What every request holds, and what none does. */
import * as ByteSize from "@weir/compaction/ByteSize"
import type * as TestModel from "@weir/model/TestModel"
import { type Asked, assert, type Law, turnRequests } from "./Law.js"
import { budgetIn, isPruned, isSame, isSameRequest, seenBy, sendings } from "./Sending.js"

export const isTheFold: Law = {
  title: "[E04] every request is the fold of what is recorded, or a pruned copy of it where one is due",
  holds: (story) => {
    for (const { budget, estimate, heavy, refusals, request } of sendings(story)) {
      const entries = seenBy(request)
      const sent = request.asked.prompt.entries
      assert.strictEqual(request.asked.prompt.system, "You are an agent.")
      assert.strictEqual(request.asked.prompt.tools.length, 3)
      if (isSame(sent, entries)) continue
      assert.isTrue(isPruned(sent, entries), `request ${request.index} is not what was recorded`)
      assert.isTrue(estimate > budget.input || heavy || refusals > 0, `request ${request.index} is pruned for nothing`)
    }
  }
}

const opening = /^<compacted_context>\nThe prior conversation context was compacted(?: automatically)? to fit the\n/

export const oneWrapper: Law = {
  title: "[A09] [A11] [A12] one wrapper at most, first; the last user message byte for byte",
  holds: (story) => {
    for (const { asked, folded: { projection } } of turnRequests(story)) {
      const users = asked.prompt.entries.flatMap((entry) => entry._tag === "UserMessage" ? [entry] : [])
      const wrappers = users.filter(({ text }) => opening.test(text))
      assert.isAtMost(wrappers.length, 1)
      if (wrappers.length > 0) assert.strictEqual(asked.prompt.entries[0], wrappers[0])
      const typed = projection.turns.at(-1)?.user
      const last = users.at(-1)
      assert.isDefined(typed)
      if (!typed || !last) return
      assert.isTrue(
        last.text === typed.text ||
          (last === wrappers[0] && last.text.endsWith(
            `\nThe following is the most recent user message. Treat it as ` +
              `the current\ntask and its requirements as authoritative.\n\n${typed.text}\n</last_user_message>`
          )),
        "the last user message has changed"
      )
      assert.deepStrictEqual(last.images, typed.images)
      for (const wrapper of wrappers) {
        const [head = ""] = wrapper.text.split("\n<last_user_message>\nThe following")
        assert.strictEqual(head.split("<compacted_context>").length, 2, "a tag got through")
        assert.strictEqual(head.split("</compacted_context>").length, 2, "a tag got through")
      }
    }
  }
}

export const nothingSplit: Law = {
  title: "[A03] no request, of a turn or for a summary, has a call without its result",
  holds: ({ moments }) => {
    for (const moment of moments) {
      if (moment._tag !== "Asked") continue
      for (const entry of moment.asked.prompt.entries) {
        // A step cannot have one, by its type.
        if (entry._tag === "Step" || !moment.isSummary || !entry.text.includes("<history>")) continue
        const [, history = ""] = entry.text.split("<history>\n")
        assert.strictEqual(history.split("\n<tool_result>\n").length, history.split("<tool_call>\n").length)
      }
    }
  }
}

export const fits: Law = {
  title: "[A02] [A05] no request is sent that is estimated or known to be over the limit",
  holds: (story) => {
    for (const moment of story.moments) {
      if (moment._tag !== "Asked") continue
      const { bytes } = budgetIn(moment.leader, moment.folded)
      if (bytes.guessed || bytes.limit === Infinity) continue
      assert.isAtMost(ByteSize.prompt(moment.asked.prompt), bytes.limit, `bytes of request ${moment.index}`)
    }
    for (const { budget, estimate, heavy, refusals, request, told } of sendings(story)) {
      const { maxOutputTokens } = request.asked.options
      assert.strictEqual(told, budget.input)
      assert.isAtMost(maxOutputTokens, budget.outputReserve)
      const lowered = maxOutputTokens < budget.outputReserve
      if (lowered) assert.isAtLeast(maxOutputTokens, Math.min(1_024, budget.outputReserve))
      if (!budget.certain) continue
      const pruned = !isSame(request.asked.prompt.entries, seenBy(request))
      if (!pruned) {
        assert.isTrue(
          estimate <= budget.input || (lowered && estimate + maxOutputTokens + budget.safety <= budget.window),
          `request ${request.index}: ${estimate} of ${budget.input}, output ${maxOutputTokens}`
        )
      } else {
        assert.isTrue(estimate > budget.input || heavy || refusals > 0)
      }
    }
  }
}

export const neverAgain: Law = {
  title: "[A07] [A21] a refused request is never sent again",
  holds: (story) => {
    const refused: Array<TestModel.Asked> = []
    const open = new Map<number, Asked>()
    for (const moment of story.moments) {
      if (moment._tag === "Asked" && !moment.isSummary) {
        const { options, prompt } = moment.asked
        const again = refused.some((one) =>
          options.maxOutputTokens >= one.options.maxOutputTokens && isSameRequest(prompt.entries, one.prompt.entries)
        )
        assert.isFalse(again, `request ${moment.index} was refused before`)
        open.set(moment.index, moment)
      }
      if (moment._tag === "Answered" && moment.how === "refused") {
        const asked = open.get(moment.index)
        if (asked) refused.push(asked.asked)
      }
    }
  }
}
