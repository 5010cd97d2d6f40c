/** Settings: what is told of them, and how they are written. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Cli from "../src/Cli.js"
import * as Settings from "../src/Settings.js"
import { directory, put, run } from "./Process.js"
import * as TestHost from "./TestHost.js"

type Variables = { readonly [name: string]: string }

/** The command in this process, in a project of `root`. */
const weir = (root: string, args: ReadonlyArray<string>, variables: Variables = {}) =>
  Effect.gen(function*() {
    const code = yield* Cli.run(["config", ...args, "--cwd", `${root}/project/src`], "0.0.0")
    const written = yield* TestHost.Written
    return { code, stderr: yield* written.stderr, stdout: yield* written.stdout }
  }).pipe(
    Effect.provide(TestHost.layer()),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(Object.entries({ WEIR_HOME: `${root}/home`, ...variables })))
    )
  )

const user = "home/config.json"
const project = "project/.weir/config.json"

const test = <E>(title: string, self: (root: string) => Effect.Effect<void, E, NodeContext.NodeContext>) =>
  it.scopedLive(
    title,
    () =>
      Effect.provide(
        Effect.flatMap(directory({ "project/.git/HEAD": "", "project/src/a.ts": "" }), self),
        NodeContext.layer
      ),
    30_000
  )

const read = (file: string) => Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file))

const Listing = Schema.decode(Schema.parseJson(Schema.Struct({
  settings: Schema.Array(Schema.Struct({
    key: Schema.String,
    value: Schema.Unknown,
    sources: Schema.Array(Schema.Struct({ kind: Schema.String, name: Schema.optional(Schema.String) }))
  }))
})))

describe("weir config list", () => {
  test("names every setting, its value and each kind of source", (root) =>
    Effect.gen(function*() {
      yield* put(root, {
        [user]: `{"maxSteps": 7, "deny": ["bash(rm*)"], "headers": {"X-Key": "hush-hush"}}`,
        [project]: `{"model": "m", "deny": ["read_file(.env)"]}`
      })
      const { code, stderr, stdout } = yield* weir(root, ["list", "--thinking", "low"], { WEIR_IDLE_TIMEOUT: "9" })
      assert.deepStrictEqual([code, stderr], [0, ""])
      const line = (key: string) => stdout.split("\n").find((text) => text.startsWith(`${key} `))?.split(/ {2,}/)
      assert.deepStrictEqual(stdout.trim().split("\n").map((text) => text.split(" ")[0]), [...Settings.names])
      assert.deepStrictEqual(line("maxSteps"), ["maxSteps", "7", `user: ${root}/${user}`])
      assert.deepStrictEqual(line("model"), ["model", "m", `project: ${root}/${project}`])
      assert.deepStrictEqual(line("idleTimeout"), ["idleTimeout", "9", "environment: WEIR_IDLE_TIMEOUT"])
      assert.deepStrictEqual(line("thinking"), ["thinking", "low", "flag: --thinking"])
      assert.deepStrictEqual(line("autoCompact"), ["autoCompact", "on", "default"])
      assert.deepStrictEqual(line("provider"), ["provider", "-", "default: by the keys that there are"])
      assert.deepStrictEqual(line("headers"), ["headers", "X-Key=(hidden)", `user: ${root}/${user}`])
      assert.deepStrictEqual(line("deny"), [
        "deny",
        "bash(rm*), read_file(.env)",
        `user: ${root}/${user}, project: ${root}/${project}`
      ])
    }))

  test("is one object for other programs, which shows no header either", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [user]: `{"maxSteps": 7}` })
      const flags = ["--header", "Authorization=Bearer hush-hush", "--allow", "edit_file", "--screen", "plain"]
      const { stdout } = yield* weir(root, ["list", "--output-format", "json", ...flags])
      assert.notInclude(stdout, "hush")
      assert.strictEqual(stdout.trim().split("\n").length, 1)
      const { settings } = yield* Listing(stdout)
      const find = (key: string) => settings.find((one) => one.key === key)
      assert.deepStrictEqual(find("maxSteps")?.value, 7)
      assert.deepStrictEqual(find("maxSteps")?.sources, [{ kind: "user", name: `${root}/${user}` }])
      assert.deepStrictEqual(find("model"), { key: "model", value: null, sources: [{ kind: "default" }] })
      assert.deepStrictEqual(find("allow")?.value, ["edit_file"])
      assert.deepStrictEqual(find("headers")?.value, { Authorization: "(hidden)" })
      assert.deepStrictEqual(find("headers")?.sources, [{ kind: "flag", name: "--header" }])
      assert.deepStrictEqual(find("screen")?.value, "plain")
    }))

  test("shows control sequences instead of obeying them", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [project]: `{"appendSystemPrompt": "a\\u001b[31mb\\nc"}` })
      assert.include((yield* weir(root, ["list"])).stdout, "a\u241b[31mb c")
    }))

  test("says what is wrong with a file, code 2", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [user]: `{"maxSteps": 0}` })
      const { code, stderr, stdout } = yield* weir(root, ["list"])
      assert.deepStrictEqual([code, stdout], [2, ""])
      assert.match(stderr, /config\.json maxSteps: Expected a positive number, actual 0/)
    }))
})

describe("weir config get", () => {
  test("prints the value alone, of a list an entry a line", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [project]: `{"deny": ["bash(rm*)", "edit_file"], "headers": {"X-Key": "hush"}}` })
      assert.deepStrictEqual(yield* weir(root, ["get", "maxSteps"]), { code: 0, stderr: "", stdout: "1000\n" })
      assert.strictEqual((yield* weir(root, ["get", "deny"])).stdout, "bash(rm*)\nedit_file\n")
      assert.strictEqual((yield* weir(root, ["get", "headers"])).stdout, "X-Key=(hidden)\n")
      assert.strictEqual((yield* weir(root, ["get", "model"], { WEIR_MODEL: "m" })).stdout, "m\n")
    }))

  test("of what has neither a value nor a default prints nothing, code 1", (root) =>
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* weir(root, ["get", "model"])
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /model is not set\. Default: the provider's own\./)
    }))

  const unknown = [
    ["modle", /no setting "modle"\. Did you mean model\?\n$/],
    ["WEIR_MAX_STEPS", /Did you mean maxSteps\?/],
    ["max-output-tokens", /Did you mean maxOutputTokens\?/],
    ["tokens", /Did you mean maxOutputTokens\?/],
    ["colour", /Settings are provider, model, .*, screen\.\n$/],
    ["apiKey", /Did you mean apiKeyEnv\? A key is kept with: weir auth login PROVIDER/]
  ] as const
  for (const [key, says] of unknown) {
    test(`refuses ${key} and names what is near, code 2`, (root) =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* weir(root, ["get", key])
        assert.match(stderr, says)
        assert.deepStrictEqual([code, stdout], [2, ""])
      }))
  }
})

describe("weir config set", () => {
  test("keeps the file's other settings and their order, for the user and the project", (root) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      yield* put(root, { [user]: `{"model": "m", "maxSteps": 7, "headers": {"X-Key": "hush"}}` })
      yield* fs.chmod(`${root}/${user}`, 0o640)
      const told = yield* weir(root, ["set", "maxSteps", "8"])
      assert.deepStrictEqual(told, { code: 0, stderr: "", stdout: `maxSteps is set in ${root}/${user}\n` })
      const added = yield* weir(root, ["set", "thinking", "high"])
      assert.strictEqual(added.code, 0)
      assert.strictEqual(
        yield* read(`${root}/${user}`),
        `{\n  "model": "m",\n  "maxSteps": 8,\n  "headers": {\n    "X-Key": "hush"\n  },\n  "thinking": "high"\n}\n`
      )
      assert.strictEqual((yield* fs.stat(`${root}/${user}`)).mode & 0o777, 0o640)
      yield* weir(root, ["set", "--project", "deny", "bash(git push*)", "read_file(.env)"])
      assert.strictEqual(
        yield* read(`${root}/${project}`),
        `{\n  "deny": [\n    "bash(git push*)",\n    "read_file(.env)"\n  ]\n}\n`
      )
      assert.deepStrictEqual(yield* fs.readDirectory(`${root}/project/.weir`), ["config.json"])
      assert.deepStrictEqual(yield* fs.readDirectory(`${root}/home`), ["config.json"])
    }))

  test("writes a new file for its user alone, through a link where there is one", (root) =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      yield* weir(root, ["set", "baseUrl", "http://localhost:1/v1"])
      assert.strictEqual((yield* fs.stat(`${root}/${user}`)).mode & 0o777, 0o600)
      assert.strictEqual((yield* fs.stat(`${root}/home`)).mode & 0o777, 0o700)
      yield* fs.rename(`${root}/${user}`, `${root}/dotfiles.json`)
      yield* fs.symlink(`${root}/dotfiles.json`, `${root}/${user}`)
      yield* weir(root, ["set", "maxSteps", "3"])
      assert.strictEqual(yield* fs.readLink(`${root}/${user}`), `${root}/dotfiles.json`)
      assert.include(yield* read(`${root}/dotfiles.json`), `"maxSteps": 3`)
      yield* fs.remove(`${root}/dotfiles.json`)
      yield* weir(root, ["set", "maxSteps", "4"])
      assert.strictEqual(yield* fs.readLink(`${root}/${user}`), `${root}/dotfiles.json`)
      assert.include(yield* read(`${root}/dotfiles.json`), `"maxSteps": 4`)
    }))

  test("says what counts instead of it", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [project]: `{"model": "p"}` })
      const { stdout } = yield* weir(root, ["set", "model", "u"], { WEIR_MODEL: "e" })
      assert.include(stdout, `What comes before it: WEIR_MODEL, ${root}/${project}.`)
      assert.notInclude((yield* weir(root, ["set", "--project", "model", "u"])).stdout, "before")
    }))

  test("mends the very setting that was wrong", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [user]: `{"maxSteps": 0}` })
      assert.strictEqual((yield* weir(root, ["set", "maxSteps", "4"])).code, 0)
      assert.strictEqual((yield* weir(root, ["get", "maxSteps"])).stdout, "4\n")
    }))

  test("takes a list as JSON, an empty one too", (root) =>
    Effect.gen(function*() {
      yield* weir(root, ["set", "allow", `["bash(a\\nb)", "edit_file"]`])
      assert.strictEqual((yield* weir(root, ["get", "allow"])).stdout, "bash(a\nb)\nedit_file\n")
      yield* weir(root, ["set", "allow", "[]"])
      assert.strictEqual((yield* weir(root, ["get", "allow"])).stdout, "")
    }))

  test("loses nothing when many set at once", (root) =>
    Effect.gen(function*() {
      const all = [["model", "m"], ["maxSteps", "3"], ["thinking", "low"], ["screen", "plain"], ["autoCompact", "off"]]
      const codes = yield* Effect.forEach(all, (pair) => weir(root, ["set", ...pair]), { concurrency: "unbounded" })
      assert.deepStrictEqual(codes.map(({ code }) => code), all.map(() => 0))
      const text = yield* read(`${root}/${user}`)
      for (const [key] of all) assert.include(text, `"${key}"`)
    }))

  const secret = "sk-0123456789abcdef"
  const refused = [
    ["no value", ["maxSteps"], {}, /Give the value: weir config set maxSteps VALUE/],
    ["two values", ["model", "a", "b"], {}, /model: expected one value, found 2\. Put it in quotes/],
    ["text for a number", ["maxSteps", "many"], {}, /maxSteps: .*"many"/],
    ["zero steps", ["maxSteps", "0"], {}, /maxSteps: Expected a positive number/],
    ["a fraction", ["contextWindow", "1.5"], {}, /contextWindow: .*1\.5/],
    ["nothing", ["model", ""], {}, /model: Expected a non empty string/],
    [
      "another choice",
      ["thinking", "huge"],
      {},
      /thinking: Expected "off" \| "low" \| "medium" \| "high", actual "huge"\n$/
    ],
    ["an address that is none", ["baseUrl", "localhost"], {}, /baseUrl: Expected an address/],
    ["a tool that is none", ["deny", "fly(*)"], {}, /deny\.0: Expected TOOL or TOOL\(pattern\).*Nothing was written/],
    ["a list that is none", ["deny", "[\"bash\""], {}, /deny\.0: Expected TOOL/],
    ["an unknown setting", ["modle", "x"], {}, /Did you mean model\?/],
    ["a key by its name", ["apiKey", secret], {}, /There is no setting "apiKey".*weir auth login PROVIDER/],
    ["what no variable is called", ["apiKeyEnv", "a b"], {}, /Expected the name of .* weir auth login PROVIDER/],
    [
      "a key for its variable's name",
      ["apiKeyEnv", "AIzaSyA0123456789012345678"],
      {},
      /apiKeyEnv: the value looks like a key/
    ],
    ["the key of a variable of one's own", ["model", "qwertyuiop"], {
      MINE: "qwertyuiop",
      WEIR_API_KEY_ENV: "MINE"
    }, /looks like a key/],
    ["a key for another setting", ["model", secret], {}, /the value looks like a key, .* weir auth login PROVIDER/],
    [
      "a configured key",
      ["appendSystemPrompt", "Use qwertyuiop."],
      { OPENAI_API_KEY: "qwertyuiop" },
      /looks like a key/
    ],
    ["headers", ["headers", `X-Key=${secret}`], {}, /Headers may be secrets.*weir auth login.*config\.json by hand/],
    ["what a project may not allow", ["--project", "permissionMode", "full"], {}, /a project cannot allow more/],
    ["rules that a project may not allow", ["--project", "allow", "bash"], {}, /a project cannot allow more/]
  ] as const
  for (const [name, args, variables, says] of refused) {
    test(`refuses ${name}, and writes nothing, code 2`, (root) =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* weir(root, ["set", ...args], variables)
        assert.match(stderr, says)
        assert.notInclude(stderr, secret)
        assert.notInclude(stderr, "qwerty")
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.isTrue(Option.isNone(yield* Effect.option(read(`${root}/${user}`))))
        assert.isTrue(Option.isNone(yield* Effect.option(read(`${root}/${project}`))))
      }))
  }

  const broken = [
    ["is no JSON", `{"model": "hush-hush",`, /config\.json: .*It is left as it is: mend it by hand first\./],
    ["is no object", `["hush-hush"]`, /config\.json: Expected an object\. It is left as it is/],
    ["has another mistake", `{"thinking": "huge"}`, /config\.json thinking: .*Nothing was written\./],
    ["has an unknown setting", `{"colour": "red"}`, /config\.json colour: is unexpected.*Nothing was written\./s],
    ["is empty", "", /config\.json: .*left as it is/]
  ] as const
  for (const [name, text, says] of broken) {
    test(`leaves a file as it is that ${name}, code 2`, (root) =>
      Effect.gen(function*() {
        yield* put(root, { [user]: text })
        const { code, stderr, stdout } = yield* weir(root, ["set", "maxSteps", "3"])
        assert.match(stderr, says)
        assert.notInclude(stderr, "hush")
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.strictEqual(yield* read(`${root}/${user}`), text)
      }))
  }

  test("says that a directory cannot be made, code 1", (root) =>
    Effect.gen(function*() {
      yield* put(root, { home: "a file" })
      const { code, stderr } = yield* weir(root, ["set", "maxSteps", "3"])
      assert.match(stderr, /home\/config\.json cannot be written; it is as it was\. Check/)
      assert.strictEqual(code, 1)
    }))
})

describe("weir config path", () => {
  test("names both files and whether they exist, whatever is in them", (root) =>
    Effect.gen(function*() {
      yield* put(root, { [user]: "broken" })
      assert.deepStrictEqual(yield* weir(root, ["path"]), {
        code: 0,
        stderr: "",
        stdout: `user     ${root}/${user}  (exists)\nproject  ${root}/${project}  (does not exist)\n`
      })
    }))
})

describe("weir config", () => {
  const live = (title: string, self: (cwd: string) => Effect.Effect<void>) =>
    it.scopedLive(title, () => Effect.provide(Effect.flatMap(directory(), self), NodeContext.layer), 30_000)

  live("sets, gets and lists as a process, and the next run obeys", (cwd) =>
    Effect.gen(function*() {
      const set = yield* run(["config", "set", "provider", "offline"], { cwd })
      assert.deepStrictEqual([set.code, set.stderr], [0, ""])
      assert.strictEqual((yield* run(["config", "get", "provider"], { cwd })).stdout, "offline\n")
      const list = yield* run(["config"], { cwd, env: { WEIR_MODEL: "m" } })
      assert.match(list.stdout, /^provider +offline +user: .*\.home\/config\.json\nmodel +m +environment: WEIR_MODEL\n/)
      const answer = yield* run(["run", "--no-session", "hi"], { cwd })
      assert.deepStrictEqual([answer.code, answer.stderr], [0, ""])
      const wrong = yield* run(["config", "set", "maxSteps", "-5"], { cwd })
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      assert.match(wrong.stderr, /^weir: Unknown option -5\. Words that begin with a dash go after --/)
    }))
})
