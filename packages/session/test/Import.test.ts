import { assert, describe, it } from "@effect/vitest"
import * as Fold from "@weir/session/Fold"
import * as Import from "@weir/session/Import"
import type { Record } from "@weir/session/Record"
import * as Effect from "effect/Effect"

const lines = (...all: ReadonlyArray<object>) => all.map((line) => JSON.stringify(line)).join("\n")

const claude = lines(
  { type: "summary", summary: "A title" },
  { type: "user", uuid: "1", parentUuid: null, cwd: "/p", message: { role: "user", content: "Read it." } },
  { type: "assistant", uuid: "x", parentUuid: "1", message: { content: [{ type: "text", text: "abandoned" }] } },
  {
    type: "assistant",
    uuid: "2",
    parentUuid: "1",
    message: { model: "claude-x", content: [{ type: "thinking", thinking: "Hm." }, { type: "text", text: "I look." }] }
  },
  {
    type: "assistant",
    uuid: "3",
    parentUuid: "2",
    message: { content: [{ type: "tool_use", id: "a", name: "Read", input: { path: "f" } }] }
  },
  {
    type: "user",
    uuid: "4",
    parentUuid: "3",
    message: { content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "content" }] }] }
  },
  { type: "user", uuid: "side", parentUuid: "3", isSidechain: true, message: { content: "not this" } },
  { type: "assistant", uuid: "5", parentUuid: "4", message: { content: [{ type: "text", text: "Done." }] } }
)

const codex = lines(
  { type: "session_meta", payload: { id: "s", cwd: "/p" } },
  { type: "turn_context", payload: { model: "claude-x" } },
  {
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "<environment_context>…" }] }
  },
  {
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Read it." }] }
  },
  { type: "event_msg", payload: { type: "user_message", message: "Read it." } },
  { type: "response_item", payload: { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] } },
  {
    type: "response_item",
    payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] }
  },
  {
    type: "response_item",
    payload: { type: "function_call", name: "Read", arguments: "{\"path\":\"f\"}", call_id: "a" }
  },
  { type: "response_item", payload: { type: "function_call_output", call_id: "a", output: "content" } },
  {
    type: "response_item",
    payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }
  }
)

const pi = lines(
  { type: "session", version: 3, id: "s", cwd: "/p" },
  { type: "message", id: "1", parentId: null, message: { role: "user", content: "Read it." } },
  {
    type: "message",
    id: "2",
    parentId: "1",
    message: {
      role: "assistant",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "I look." },
        { type: "toolCall", id: "a", name: "Read", arguments: { path: "f" } }
      ]
    }
  },
  {
    type: "message",
    id: "3",
    parentId: "2",
    message: { role: "toolResult", toolCallId: "a", content: [{ type: "text", text: "content" }], isError: false }
  },
  {
    type: "message",
    id: "4",
    parentId: "3",
    message: { role: "assistant", content: [{ type: "text", text: "Done." }] }
  }
)

const outline = (records: ReadonlyArray<Record>) =>
  records.map((record) => {
    switch (record._tag) {
      case "TurnStarted":
        return `user: ${record.user.text}`
      case "StepCompleted":
        return record.step.parts.map((part) =>
          part._tag === "Exchange" ? `${part.call.name} ${part.call.arguments} = ${part.result.text}` : part.text
        ).join(" / ")
      default:
        return record._tag
    }
  })

describe("import", () => {
  for (const [program, text] of [["Claude Code", claude], ["Codex", codex], ["pi", pi]] as const) {
    it.effect(`${program}: the same conversation`, () =>
      Effect.gen(function*() {
        const imported = yield* Import.parse(`${text}\n{torn`, "file")
        assert.strictEqual(imported.program, program)
        assert.strictEqual(imported.cwd, "/p")
        assert.strictEqual(imported.model, "claude-x")
        assert.deepStrictEqual(outline(imported.records), [
          "user: Read it.",
          "Hm. / I look. / Read {\"path\":\"f\"} = content",
          "Done.",
          "TurnFinished"
        ])
        assert.strictEqual(Fold.fold(imported.records).projection.turns[0]?.steps.length, 2)
      }))
  }

  it.effect("a call without a result is answered as such", () =>
    Effect.gen(function*() {
      const { records } = yield* Import.parse(codex.split("\n").slice(0, 8).join("\n"), "file")
      assert.include(outline(records).join("\n"), "= No result was recorded.")
    }))

  it.effect("anything else is refused, and nothing is made of it", () =>
    Effect.gen(function*() {
      for (const text of ["", "nonsense", "{\"type\":\"session\"}", "[1]\n[2]"]) {
        const error = yield* Effect.flip(Import.parse(text, "/x/file"))
        assert.match(error.message, /file is no transcript that can be imported.*Claude Code, Codex or pi/)
      }
    }))
})
