/** `weir sessions`, in this process; what the model is sent afterwards is compared byte for byte. */
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Cli from "../src/Cli.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const calls = 16

const files = Object.fromEntries(
  Array.from(
    { length: calls },
    (_, index) => [`part${index}.txt`, `line of part ${index}, ${"abcdefgh ".repeat(8)}\n`.repeat(20)]
  )
)

/** 16 calls of 2 kB, then an answer; for every message of the user again. */
const script = Script.sequence([
  {
    at: (index) => ({
      parts: [Script.text(`Part ${index}.`), Script.call("read_file", { path: `part${index}.txt` })]
    }),
    length: calls
  },
  Script.reply("Done.")
])

/** Runs the command with a home of its own. */
const weir = (home: string, args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const code = yield* Cli.run(args, "0.0.0")
    const written = yield* TestHost.Written
    return { code, stderr: yield* written.stderr, stdout: yield* written.stdout }
  }).pipe(
    Effect.provide(TestHost.layer({ stdin: new Uint8Array() })),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["WEIR_HOME", home]])))
  )

/** A directory, and a provider whose window counts only where the client believes in it. */
const setUp = Effect.gen(function*() {
  const cwd = yield* directory(files)
  const simulator = yield* Simulator.make({ script })
  /** Gives the first request of the turn as well. */
  const ask = (home: string, window: number, ...more: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const before = (yield* simulator.requests).length
      const finished = yield* weir(`${cwd}/${home}`, [
        "run",
        ...["--base-url", simulator.url, "--model", "sim-1", "--cwd", cwd],
        ...["--context-window", String(window), "--max-output-tokens", "1000"],
        ...more
      ])
      const request = (yield* simulator.requests).slice(before).find(({ kind }) => kind === "main")?.body
      return { ...finished, request }
    })
  return {
    ask,
    cwd,
    sessions: (home: string, ...args: ReadonlyArray<string>) => weir(`${cwd}/${home}`, ["sessions", ...args])
  }
})

const narrow = 9_000
const wide = 128_000

const inside = <A, E>(self: Effect.Effect<A, E, FileSystem.FileSystem | Scope.Scope>) =>
  Effect.provide(self, TestHost.layer())

const idOf = (home: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const names = yield* fs.readDirectory(`${home}/sessions`)
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => name.slice(0, -".jsonl".length)).at(-1) ?? ""
  })

describe("weir sessions", () => {
  it.scopedLive("undo-compaction gives back the exact conversation, as if that compaction had never been", () =>
    inside(Effect.gen(function*() {
      const { ask, cwd, sessions } = yield* setUp
      yield* ask("home", narrow, "Read all parts.")
      const id = yield* idOf(`${cwd}/home`)
      const event = Number(/\n *(\d+) {2}compaction /.exec((yield* sessions("home", "show", id)).stdout)?.[1])
      const fork = (at: number) =>
        Effect.map(sessions("home", "fork", id, "--at", String(at)), ({ stdout }) => stdout.trim())
      const never = yield* fork(event - 1)
      const undone = yield* fork(event)
      const compacted = yield* fork(event)
      assert.match(
        (yield* sessions("home", "undo-compaction", undone)).stdout,
        /^Took back the compaction of \d+,\d+ to \d+,\d+ tokens\.\n$/
      )
      assert.match((yield* sessions("home", "undo-compaction", undone)).stdout, /^There is no compaction/)
      const [first, second, third] = yield* Effect.forEach(
        [never, undone, compacted],
        (session) =>
          Effect.map(ask("home", wide, "--max-steps", "1", "--session", session, "And now?"), ({ request }) => request)
      )
      assert.include(first, "line of part 0")
      assert.isTrue(first === second)
      assert.isFalse(first === third)
    })))

  it.scopedLive("a fork goes on as the session itself did from that event on", () =>
    inside(Effect.gen(function*() {
      const { ask, cwd, sessions } = yield* setUp
      yield* ask("home", narrow, "Read all parts.")
      const id = yield* idOf(`${cwd}/home`)
      const shown = (yield* sessions("home", "show", id.slice(0, -2))).stdout
      const events = shown.trimEnd().split("\n").length - 6
      assert.match(shown, new RegExp(`\\n${events}  turn ended: finished\\n$`))
      assert.match(shown, /compaction \d+,\d+ → \d+,\d+ tokens \(in-turn-trigger\)/)
      const { request } = yield* ask("home", narrow, "--max-steps", "1", "--session", id, "And now?")
      const forking = yield* sessions("home", "fork", id, "--at", String(events))
      assert.strictEqual(forking.stderr, "")
      const fork = forking.stdout.trim()
      assert.notStrictEqual(fork, id)
      const forked = yield* ask("home", narrow, "--max-steps", "1", "--session", fork, "And now?")
      assert.include(request, "<compacted_context>")
      assert.isTrue(forked.request === request)
      assert.include(
        (yield* sessions("home", "replay", fork)).stdout,
        `Forked from session ${id} after its event ${events}.`
      )
    })))

  it.scopedLive("[E02] [E03] replay shows the work before a compaction, and no line of an automatic one", () =>
    inside(Effect.gen(function*() {
      const { ask, cwd, sessions } = yield* setUp
      yield* ask("home", narrow, "Read all parts.")
      const replayed = (yield* sessions("home", "replay", yield* idOf(`${cwd}/home`))).stdout
      assert.match(replayed, /^> Read all parts\.\n\nPart 0\.\n\nread_file part0\.txt \(ok\)\n\nPart 1\./)
      assert.match(replayed, /\n\nPart 15\.\n\nread_file part15\.txt \(ok\)\n\nDone\.\n$/)
      assert.notMatch(replayed, /compact/i)
    })))

  it.scopedLive("list shows this directory first; names, forks and deletions count", () =>
    inside(Effect.gen(function*() {
      const { ask, cwd, sessions } = yield* setUp
      assert.match((yield* sessions("home", "list")).stdout, /There are no sessions yet/)
      yield* ask("home", wide, "Read all parts.")
      const id = yield* idOf(`${cwd}/home`)
      assert.match(
        (yield* sessions("home")).stdout,
        new RegExp(`^Elsewhere:\\n  ${id}  now  1 turn  \\d.*k tokens  sim-1  Read all parts\\.\\n      Done\\.\\n$`)
      )
      yield* sessions("home", "rename", id, "All", "the", "parts")
      const fork = (yield* sessions("home", "fork", id)).stdout.trim()
      const listed = (yield* sessions("home", "list")).stdout
      assert.strictEqual(listed.match(/All the parts/g)?.length, 2)
      assert.strictEqual((yield* sessions("home", "delete", fork)).stdout, `Deleted ${fork}.\n`)
      assert.notInclude((yield* sessions("home", "list")).stdout, fork)
    })))

  it.scopedLive("what cannot be done is refused with exit code 2", () =>
    inside(Effect.gen(function*() {
      const { ask, cwd, sessions } = yield* setUp
      yield* ask("home", wide, "Read all parts.")
      const id = yield* idOf(`${cwd}/home`)
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["show", "nope"], /no session nope.*weir sessions list/],
        [["fork", id, "--at", "9999"], /with an event 9999.*its events are 1 to \d+/],
        [["fork", id, "--at", "0"], /--at: .*positive/],
        [["rename", id], /new name is empty/],
        [["show"], /[Mm]issing argument/],
        [["frobnicate"], /no command sessions frobnicate.*list, show/],
        [["list", "--nope"], /Unknown option --nope/]
      ]
      for (const [args, says] of cases) {
        const { code, stderr, stdout } = yield* sessions("home", ...args)
        assert.match(stderr, says)
        assert.strictEqual(stdout, "")
        assert.strictEqual(code, 2)
      }
    })))
})
