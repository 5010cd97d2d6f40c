/** Sessions between real processes and on a real file system: who holds one, and what becomes of it where no room is. */
// @effect-diagnostics nodeBuiltinImport:off
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import * as Cli from "../src/Cli.js"
import * as Process from "./Process.js"
import * as TestHost from "./TestHost.js"

/** Serves a model that never answers; gives its address, and whether it was asked. */
const silent = Effect.acquireRelease(
  Effect.async<{ readonly asked: () => boolean; readonly close: () => void; readonly url: string }>((resume) => {
    let asked = false
    const server = createServer((request, response) => {
      if (request.url?.endsWith("/chat/completions") === true) asked = true
      else response.writeHead(404).end()
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resume(Effect.succeed({ asked: () => asked, close, url: `http://127.0.0.1:${port}/v1` }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** A directory with a session of one turn. */
const setUp = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const cwd = yield* Process.directory()
  const home = `${cwd}/.home`
  /** The command within this process. */
  const weir = (...args: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const code = yield* Cli.run(args, "0.0.0")
      const written = yield* TestHost.Written
      return { code, stderr: yield* written.stderr, stdout: yield* written.stdout }
    }).pipe(
      Effect.provide(TestHost.layer({ stdin: new Uint8Array() })),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["WEIR_HOME", home]])))
    )
  yield* weir("run", "--provider", "offline", "--cwd", cwd, "hello")
  const names = yield* fs.readDirectory(`${home}/sessions`)
  const id = names.find((name) => name.endsWith(".jsonl"))?.slice(0, -".jsonl".length) ?? ""
  return {
    cwd,
    goOn: (text: string) => weir("run", "--provider", "offline", "--cwd", cwd, "--session", id, text),
    id,
    lines: fs.readFileString(`${home}/sessions/${id}.jsonl`),
    lock: fs.exists(`${home}/sessions/${id}.lock`),
    weir
  }
})

describe("sessions", () => {
  it.scopedLive("one that another process holds is refused, naming it; when that one is dead, it is taken over", () =>
    Effect.gen(function*() {
      const { cwd, goOn, id, lines, lock, weir } = yield* setUp
      const { asked, url } = yield* silent
      const args = ["run", "--base-url", url, "--model", "m", "--session", id, "wait"]
      const { child, finished } = yield* Process.start(args, { cwd })
      yield* Process.eventually(Effect.sync(asked), (was) => was)
      const before = yield* lines

      const refused = yield* goOn("hi")
      assert.strictEqual(refused.code, 2)
      assert.match(
        refused.stderr,
        new RegExp(`${id} is open in another process.*\\(process ${child.pid} on \\S+, since`)
      )
      assert.strictEqual(refused.stdout, "")
      assert.strictEqual(yield* lines, before)

      child.kill("SIGKILL")
      yield* finished
      assert.isTrue(yield* lock)
      assert.deepInclude(yield* goOn("hello"), { code: 0, stderr: "" })
      assert.isFalse(yield* lock)
      assert.isTrue((yield* lines).startsWith(before))
      assert.match((yield* weir("sessions", "replay", id)).stdout, /> wait\n\nInterrupted\.\n\n> hello\n\n/)
    }).pipe(Effect.provide(TestHost.layer())))

  it.scopedLive("where a file may not grow, the turn says so, and all that was recorded goes on", () =>
    Effect.gen(function*() {
      const { cwd, goOn, id, lines } = yield* setUp
      const before = yield* lines
      const args = ["run", "--provider", "offline", "--session", id, "x".repeat(8_000)]
      const { code, stderr, stdout } = yield* Process.run(args, { cwd, shell: "ulimit -f 4; exec \"$@\"" })
      assert.match(stderr, /cannot be written; nothing recorded before is lost\. Check free disk space.*EFBIG/)
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "")
      const after = yield* lines
      assert.isTrue(after.startsWith(before) && after.endsWith("]\n"))
      assert.notInclude(after, "xxxx")
      assert.deepInclude(yield* goOn("hello"), { code: 0, stderr: "" })
    }).pipe(Effect.provide(TestHost.layer())))

  it.scopedLive("files of a newer version and of other programs are refused, and not a byte is changed", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { cwd, weir } = yield* setUp
      for (
        const [text, says] of [
          ["[{\"_tag\":\"SessionStarted\",\"version\":9}]\n", /written by a newer version of Weir.*Update Weir/],
          ["\u0000garbage", /no session that Weir can read; it was left as it is/]
        ] as const
      ) {
        yield* fs.writeFileString(`${cwd}/.home/sessions/odd.jsonl`, text)
        const uses = [["run", "--provider", "offline", "--session", "odd", "hi"], ["context", "odd"], [
          "sessions",
          "show",
          "odd"
        ]]
        for (const args of uses) {
          const { code, stderr, stdout } = yield* weir(...args)
          assert.match(stderr, says)
          assert.strictEqual(stdout, "")
          assert.strictEqual(code, 1)
        }
        assert.strictEqual(yield* fs.readFileString(`${cwd}/.home/sessions/odd.jsonl`), text)
        assert.strictEqual((yield* weir("sessions", "list")).code, 0)
      }
    }).pipe(Effect.provide(TestHost.layer())))
})
