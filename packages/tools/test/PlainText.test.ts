import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as PlainText from "../src/PlainText.js"

const esc = "\u001b"
const parts = [
  `${esc}[1;31m`,
  `${esc}[0m`,
  `${esc}[38;2;10;20;30m`,
  `${esc}[2K`,
  `${esc}]0;title\u0007`,
  `${esc}]8;;https://example.com${esc}\\`,
  "word",
  "é😀",
  "\n",
  "\t",
  "[31m",
  "\u0007",
  "\u0000"
]

const plain = (bytes: ReadonlyArray<Uint8Array>) => {
  const text = PlainText.make()
  return bytes.map(text.push).join("") + text.finish()
}

const sequence = FastCheck.array(FastCheck.constantFrom(...parts), { maxLength: 20 })
const cuts = FastCheck.array(FastCheck.integer({ min: 0, max: 120 }), { maxLength: 8 })

describe("PlainText", () => {
  it.prop("knows escape sequences in whatever pieces they come", [sequence, cuts], ([list, at]) => {
    const bytes = new TextEncoder().encode(list.join(""))
    const places = [0, ...at.map((place) => Math.min(place, bytes.length)), bytes.length].sort((a, b) => a - b)
    const pieces = places.slice(1).map((place, index) => bytes.slice(places[index], place))
    const expected = list.filter((part) => /^[\w😀é\n\t[]+$/u.test(part)).join("")
    assert.strictEqual(plain(pieces), expected)
  })

  it.prop("never lets a control character or a lone surrogate through", [FastCheck.uint8Array()], ([bytes]) => {
    const text = plain([bytes])

    assert.notMatch(text, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/)
    assert.strictEqual(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text)), text)
  })

  it("shows what a terminal would show at last", () => {
    assert.strictEqual(PlainText.settled("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n")
    assert.strictEqual(PlainText.settled("a\r\r\n\r\n\rb\r"), "a\n\nb")
    assert.strictEqual(PlainText.settled(`${"x".repeat(300_000)}\ry`), "y")
    assert.strictEqual(PlainText.settled("\r".repeat(300_000)), "")
  })
})
