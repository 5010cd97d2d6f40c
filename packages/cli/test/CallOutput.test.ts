import { assert, describe, it } from "@effect/vitest"
import type { Call } from "@weir/tui/Block"
import { begun, initial } from "@weir/tui/State"
import * as Option from "effect/Option"
import * as CallOutput from "../src/interactive/CallOutput.js"

const call = (name: string, output: string, state: Call["state"] = "ok"): Call => ({
  argument: "x",
  endedAt: 1,
  id: name,
  name,
  output,
  startedAt: 0,
  state
})

describe("/output", () => {
  const state = {
    ...initial,
    calls: [call("read_file", "1\n2\n"), call("bash", " \n")],
    turn: { ...begun(0), calls: [call("grep", "  a\n\n", "running")] }
  }
  const found = (back: string) => Option.getOrUndefined(CallOutput.find(state, back))

  it("counts calls back from the newest, which may still run", () => {
    assert.deepStrictEqual(found(""), { text: "  a", title: "grep x (running)" })
    assert.deepStrictEqual(found("1"), found(""))
    assert.deepStrictEqual(found("2"), { text: "nothing", title: "bash x (ok)" })
    assert.deepStrictEqual(found("3"), { text: "1\n2", title: "read_file x (ok)" })
  })

  it("finds none that is not there", () => {
    for (const back of ["4", "0", "-1", "1.5", "two", "1 2"]) assert.isUndefined(found(back), back)
    assert.isTrue(Option.isNone(CallOutput.find(initial, "")))
  })
})
