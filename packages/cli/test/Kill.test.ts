/** The command is killed at random moments, and no moment may matter. */
// @effect-diagnostics nodeBuiltinImport:off
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("../../bench/kill.mjs", import.meta.url))

describe("SIGKILL", () => {
  it.live(
    "[E04] at 25 moments: nothing that was told is lost, and the session goes on",
    () =>
      Effect.async<void>((resume) => {
        const child = execFile(process.execPath, [script, "25", "8"], (_error, stdout) =>
          resume(Effect.sync(() =>
            assert.match(stdout, /^25 kills, .*: 0 failures\n$/)
          )))
        return Effect.sync(() => child.kill())
      }),
    240_000
  )
})
