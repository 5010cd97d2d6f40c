import { assert, describe, it } from "@effect/vitest"
import * as Refusal from "../src/Refusal.js"

const system = (reason: string, code?: string) => ({
  _tag: "SystemError",
  message: `${reason}: FileSystem.open (/x): raw text`,
  reason,
  ...(code !== undefined && { cause: Object.assign(new Error(`${code}: as Node says it, open '/x'`), { code }) })
} as const)

const cases: ReadonlyArray<readonly [error: Refusal.Refusal, words: string, detail: string]> = [
  [system("NotFound", "ENOENT"), "it does not exist", "it does not exist, ENOENT"],
  [system("AlreadyExists"), "it exists already", "it exists already"],
  [system("Unknown", "ENOSPC"), "no space is left on the disk", "no space is left on the disk, ENOSPC"],
  [system("BadResource", "EISDIR"), "it is a directory", "it is a directory, EISDIR"],
  [system("Unknown", "EODD"), "EODD: as Node says it, open '/x'", "EODD: as Node says it, open '/x'"],
  [system("WouldBlock"), "the system says WouldBlock", "the system says WouldBlock"],
  [
    { ...system("PermissionDenied"), description: "EACCES: no" },
    "permission is denied",
    "permission is denied, EACCES"
  ],
  [{ _tag: "BadArgument", message: "raw text" }, "it is not a valid path", "it is not a valid path"]
]

describe("Refusal", () => {
  for (const [error, words, detail] of cases) {
    it(words, () => {
      assert.strictEqual(Refusal.words(error), words)
      assert.strictEqual(Refusal.detail(error), detail)
    })
  }

  it("of any other error the detail is what it says", () => {
    assert.strictEqual(Refusal.detail(new Error("Mend it.")), "Mend it.")
  })
})
