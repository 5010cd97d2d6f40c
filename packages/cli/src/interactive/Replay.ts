/** What a stored session looked like, as blocks. */
import * as SessionStore from "@weir/session/SessionStore"
import * as Story from "@weir/session/Story"
import { Block } from "@weir/tui/Block"
import { mainArgument } from "@weir/tui/MainArgument"
import * as Reply from "@weir/tui/Reply"
import * as Effect from "effect/Effect"
import * as UserInput from "../UserInput.js"

/** Items that are shown of a long session: its end. */
const most = 300

const agent = (text: string): ReadonlyArray<Block> => {
  const { blocks, reply } = Reply.append(Reply.empty, text)
  return [...blocks, ...Reply.finish(reply).blocks]
}

const blocksOf = (item: Story.Item): ReadonlyArray<Block> => {
  switch (item._tag) {
    case "User":
      return [Block.User({ text: UserInput.words(item.text) })]
    case "Text":
      return agent(item.text)
    case "Reasoning":
      return []
    case "Tool": {
      const { call: { arguments: json, id, name }, result: { isError, text } } = item
      const state = isError ? "failed" : "ok"
      return [
        Block.Tool({ call: { argument: mainArgument(json), endedAt: 0, id, name, output: text, startedAt: 0, state } })
      ]
    }
    case "Notice":
      return [Block.Note({ text: item.text, tone: "plain" })]
  }
}

export const blocks = (id: string) =>
  Effect.gen(function*() {
    const store = yield* SessionStore.SessionStore
    const items = Story.items((yield* store.read(id)).records)
    const shown = items.slice(-most)
    const more = items.length > most
      ? [Block.Note({ text: `… ${items.length - most} earlier pieces; weir sessions replay ${id}`, tone: "plain" })]
      : []
    return [...more, ...shown.flatMap(blocksOf)]
  })
