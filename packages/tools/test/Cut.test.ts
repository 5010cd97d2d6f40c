import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Cut from "../src/Cut.js"

const text = FastCheck.string({ unit: "grapheme", maxLength: 60 }).chain((base) =>
  FastCheck.constantFrom(base, `${base}😀`, `😀😀${base}`, base.repeat(9))
)
const size = FastCheck.integer({ min: 0, max: 200 })

const isWellFormed = (value: string) => Cut.wellFormed(value) === value

describe("Cut", () => {
  it.prop("a head is a beginning, fits, and is as long as it can be", [text, size], ([value, bytes]) => {
    const head = Cut.head(value, bytes)
    assert.isTrue(value.startsWith(head) && isWellFormed(head) && Cut.byteLength(head) <= bytes)
    assert.isTrue(head === value || bytes - Cut.byteLength(head) < 4)
  })

  it.prop("a tail is an end, fits, and is as long as it can be", [text, size], ([value, bytes]) => {
    const tail = Cut.tail(value, bytes)
    assert.isTrue(value.endsWith(tail) && isWellFormed(tail) && Cut.byteLength(tail) <= bytes)
    assert.isTrue(tail === value || bytes - Cut.byteLength(tail) < 4)
  })

  it.prop("a cut line says how much is missing", [text, size], ([value, length]) => {
    const line = Cut.line(value, length)
    if (value.length <= length) return assert.strictEqual(line, value)
    const [, kept, more] = /^([^]*)… \[(\d+) more characters\]$/.exec(line) ?? []
    assert.isTrue(kept !== undefined && value.startsWith(kept) && isWellFormed(kept))
    assert.strictEqual((kept?.length ?? 0) + Number(more), value.length)
  })

  it.prop("a window of a line is part of it and holds its start", [text, size, size], ([value, at, length]) => {
    const window = Cut.around(value, at, length)
    const inside = window.replace(/^…/, "").replace(/…$/, "")
    assert.isTrue(value.includes(inside) && isWellFormed(window) && inside.length <= length + 1)
  })

  it("keeps what matched in view", () => {
    const line = `${"a".repeat(5000)}needle${"b".repeat(5000)}`
    assert.include(Cut.around(line, 5000, 100), "needle")
    assert.include(Cut.around(`needle${line}`, 0, 100), "needle")
    assert.include(Cut.around(`${line}needle`, line.length, 100), "needle")
  })

  it("leaves the middle out and mends lone surrogates", () => {
    const cut = Cut.middle("é".repeat(100), 31)
    assert.strictEqual(cut, `${"é".repeat(7)}\n[... 170 bytes left out ...]\n${"é".repeat(8)}`)
    assert.strictEqual(Cut.middle("a\ud800b"), "a\ufffdb")
    assert.strictEqual(Cut.middle("\ufeffa"), "\ufeffa")
  })
})
