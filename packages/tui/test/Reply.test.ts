import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import type { Block } from "../src/Block.js"
import * as Reply from "../src/Reply.js"

const stream = (chunks: ReadonlyArray<string>) => {
  const blocks: Array<Block> = []
  let reply = Reply.empty
  let widest = 0
  for (const chunk of chunks) {
    const taken = Reply.append(reply, chunk)
    blocks.push(...taken.blocks)
    reply = taken.reply
    widest = Math.max(widest, reply.pending.length)
  }
  const end = Reply.finish(reply)
  return { blocks: [...blocks, ...end.blocks], reply: end.reply, widest }
}

const texts = (blocks: ReadonlyArray<Block>) => blocks.map((block) => "text" in block ? [block._tag, block.text] : [])

describe("a reply that streams", () => {
  it("lets whole paragraphs go and keeps the open one", () => {
    const { blocks, reply } = Reply.append(Reply.empty, "One.\n\nTwo is\nlonger.\n\nThr")
    assert.deepStrictEqual(texts(blocks), [["Prose", "One."], ["Prose", "Two is\nlonger."]])
    assert.strictEqual(reply.pending, "Thr")
  })

  it("keeps a list together over blank lines with what is indented under it", () => {
    const { blocks } = stream(["- one\n\n  more of one\n- two\n\nAfter.\n"])
    assert.deepStrictEqual(texts(blocks), [["Prose", "- one\n\n  more of one\n- two"], ["Prose", "After."]])
  })

  it("takes fenced code out, whatever is in it", () => {
    const { blocks } = stream(["Look:\n```ts\nconst a = `b`\n\n~~~\n```\nEnd."])
    assert.deepStrictEqual(texts(blocks).map((block) => block.map((part) => part?.trim())), [
      ["Prose", "Look:"],
      ["Code", "const a = `b`\n\n~~~"],
      ["Prose", "End."]
    ])
  })

  it("needs a fence as long as the one that opened", () => {
    const { blocks } = stream(["````\n```\ninner\n```\n````\n"])
    assert.deepStrictEqual(texts(blocks), [["Code", "```\ninner\n```"]])
  })

  it("lets long code go in parts that join to the whole", () => {
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`)
    const { blocks, widest } = stream(["```sh\n", ...lines.map((line) => `${line}\n`), "```\n"])
    assert.isAbove(blocks.length, 5)
    assert.isBelow(widest, 1_000)
    assert.strictEqual(
      blocks.flatMap((block) => block._tag === "Code" ? [block.text] : []).join("\n"),
      lines.join("\n")
    )
  })

  it("lets a line of code that does not end go in parts, too", () => {
    const line = "{\"key\": \"😀\"},".repeat(2_000)
    const { blocks, widest } = stream(["```json\n", ...line.match(/[^]{1,50}/g) ?? [], "\n```\nAfter."])
    assert.isBelow(widest, 5_000)
    const parts = blocks.flatMap((block) => block._tag === "Code" ? [block] : [])
    assert.strictEqual(parts.map(({ text }) => text).join(""), line)
    assert.isTrue(parts.slice(1).every(({ isContinued }) => isContinued))
    for (const { text } of parts) assert.notMatch(text, /[\ud800-\udbff]$/)
    assert.deepStrictEqual(texts(blocks).at(-1), ["Prose", "After."])
  })

  it("never keeps much, also of a paragraph that does not end", () => {
    const { blocks, widest } = stream(Array.from({ length: 5_000 }, () => "some words "))
    assert.isBelow(widest, 5_000)
    assert.strictEqual(
      texts(blocks).map(([, text]) => text?.trim()).join(" "),
      "some words ".repeat(5_000).trim()
    )
  })

  it("repeats the head of a table that is let go in parts", () => {
    const head = "| name | what it is |\n|------|:----------:|\n"
    const row = (at: number) => `| row ${at} | the cell of row number ${at} |\n`
    const rows = Array.from({ length: 300 }, (_, at) => row(at))
    const { blocks, widest } = stream([head, ...rows, "\nAfter | it.\n"])
    const [after, ...tables] = texts(blocks).map(([, text]) => text ?? "").toReversed()
    assert.strictEqual(after, "After | it.")
    assert.isAbove(tables.length, 1)
    assert.isBelow(widest, 5_000)
    for (const table of tables) assert.isTrue(table.startsWith(head))
    assert.strictEqual(tables.toReversed().map((table) => `${table.slice(head.length)}\n`).join(""), rows.join(""))
  })

  it("cuts a row that does not end as it cuts any other text, and no character in two", () => {
    const row = `| a | b |\n|---|---|\n| ${"😀".repeat(5_000)} |`
    const { blocks } = stream(row.match(/[^]{1,100}/g) ?? [])
    assert.strictEqual(texts(blocks).map(([, text]) => text).join("").replaceAll(/\s/g, ""), row.replaceAll(/\s/g, ""))
    for (const [, text] of texts(blocks)) assert.notMatch(text ?? "", /[\ud800-\udbff]$/)
  })

  it("loses and adds nothing but fences and blank lines, wherever the pieces are cut", () => {
    const piece = fc.constantFrom("word", " ", "\n", "\n\n", "```\n", "~~~js\n", "- item\n", "  indented\n", "# h\n")
    const bare = (text: string) => text.replaceAll(/^ {0,3}(```+|~~~+)[ \t]*\w*$/gm, "").replaceAll(/\s+/g, "")
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(7), (pieces, size) => {
      const whole = pieces.join("")
      const chunks = whole.match(new RegExp(`[^]{1,${size + 1}}`, "g")) ?? []
      const once = stream([whole]).blocks
      assert.deepStrictEqual(
        stream(chunks).blocks.map((block) => bare(texts([block])[0]?.[1] ?? "")).join(""),
        once.map((block) => bare(texts([block])[0]?.[1] ?? "")).join("")
      )
      assert.strictEqual(once.map((block) => bare(texts([block])[0]?.[1] ?? "")).join(""), bare(whole))
    }))
  })
})
