/** What is drawn for the first time takes five times as long: it is drawn once for nobody, while the model thinks. */
import * as Effect from "effect/Effect"
import { Block } from "./Block.js"
import * as BlockLines from "./BlockLines.js"

const columns = 80

/** What a reply may hold. */
const blocks = [
  Block.Prose({ text: "# Heading\n\nSome **bold** and `short` words:\n\n- one\n- two\n\n1. first" }),
  Block.Code({ isContinued: false, language: "ts", text: "export const one = (two: number) => `${two}` // \"3\"" })
]

export const rehearse = (look: BlockLines.Look): Effect.Effect<void> =>
  Effect.forEach(blocks, (block) => Effect.sync(() => BlockLines.lines(block, columns, look)), { discard: true })
