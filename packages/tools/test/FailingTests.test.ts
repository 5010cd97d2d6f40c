import { assert, describe, it } from "@effect/vitest"
import * as FailingTests from "@weir/tools/FailingTests"

const outputs: Record<string, readonly [output: string, names: ReadonlyArray<string>]> = {
  Vitest: [
    " ❯ test/a.test.ts (3 tests | 1 failed) 12ms\n   × adds two numbers 5ms\n\n FAIL  test/a.test.ts > sum > adds two numbers\n" +
    "AssertionError: expected 3 to be 4\n FAIL  test/a.test.ts > sum > adds two numbers\n Test Files  1 failed (1)",
    ["test/a.test.ts > sum > adds two numbers"]
  ],
  Jest: [
    "FAIL src/a.test.js\n  ● Console\n\n    console.log\n  ● sum › adds two numbers\n\n    expect(received)\nTests: 1 failed",
    ["sum › adds two numbers"]
  ],
  pytest: [
    "=== short test summary info ===\nFAILED tests/test_a.py::TestSum::test_add[1-2] - assert 3 == 4\n" +
    "ERROR tests/test_b.py::test_c\n=== 1 failed, 1 error in 0.12s ===",
    ["tests/test_a.py::TestSum::test_add[1-2]", "tests/test_b.py::test_c"]
  ],
  Go: [
    "=== RUN   TestSum\n--- FAIL: TestSum (0.00s)\n    --- FAIL: TestSum/negative (0.00s)\nFAIL\nexit status 1",
    ["TestSum", "TestSum/negative"]
  ],
  Cargo: [
    "running 2 tests\ntest tests::adds ... FAILED\ntest tests::subtracts ... ok\n\nfailures:\n    tests::adds",
    ["tests::adds"]
  ],
  TAP: ["TAP version 13\nok 1 - fine\nnot ok 2 - adds two numbers\n# fail 1", ["adds two numbers"]]
}

describe("failing tests", () => {
  for (const [runner, [output, names]] of Object.entries(outputs)) {
    it(`of ${runner} are named`, () => assert.deepStrictEqual(FailingTests.find(output), names))
  }

  it("prose about failures names none", () => {
    assert.deepStrictEqual(
      FailingTests.find("The test FAILED.\nFAIL\nerror: a > b\n● Console\n---\n" + "x".repeat(1e6)),
      []
    )
  })
})
