import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Home from "../src/Home.js"
import * as Settings from "../src/Settings.js"
import { directory } from "./Process.js"

const environment = (variables: { readonly [name: string]: string }) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

interface Sources {
  readonly user?: string
  readonly project?: string
  readonly env?: { readonly [name: string]: string }
  readonly flags?: Settings.Settings
}

const load = ({ env = {}, flags = {}, project, user }: Sources) =>
  Effect.gen(function*() {
    const root = yield* directory({
      "project/.git/HEAD": "",
      "project/src/a.ts": "",
      ...(user !== undefined && { "home/config.json": user }),
      ...(project !== undefined && { "project/.weir/config.json": project })
    })
    return yield* Settings.load({
      cwd: `${root}/project/src`,
      flags,
      home: { config: `${root}/home`, data: `${root}/home` }
    }).pipe(environment(env))
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))

const complaint = (sources: Sources) => Effect.map(Effect.flip(load(sources)), (error) => error.message)

describe("load", () => {
  it.effect("lets flags win over the environment, that over the project, that over the user", () =>
    Effect.gen(function*() {
      const all: Sources = {
        env: { WEIR_MAX_STEPS: "3", WEIR_MODEL: "from-env" },
        flags: { model: "from-flag" },
        project: "{\"model\": \"from-project\", \"maxSteps\": 2, \"contextWindow\": 20000}",
        user: "{\"model\": \"from-user\", \"maxSteps\": 1, \"contextWindow\": 10000, \"autoCompact\": \"off\"}"
      }
      const { settings } = yield* load(all)
      assert.deepStrictEqual(settings, { autoCompact: "off", contextWindow: 20_000, maxSteps: 3, model: "from-flag" })
      assert.deepStrictEqual((yield* load({})).settings, {})
    }))

  it.effect("reads every setting from the environment", () =>
    Effect.gen(function*() {
      const { settings } = yield* load({
        env: {
          WEIR_ALLOW: "bash(npm test*)\nedit_file",
          WEIR_API_KEY_ENV: "MY_KEY",
          WEIR_APPEND_SYSTEM_PROMPT: "Be kind.",
          WEIR_AUTO_COMPACT: "off",
          WEIR_BASE_URL: "http://localhost:1/v1",
          WEIR_COMPACTION_REQUEST: "isolated",
          WEIR_CONTEXT_WINDOW: "10000",
          WEIR_HEADERS: "a=b=c\nd=e",
          WEIR_IDLE_TIMEOUT: "0",
          WEIR_MAX_OUTPUT_TOKENS: "100",
          WEIR_MAX_STEPS: "5",
          WEIR_MODEL: "m",
          WEIR_PERMISSION_MODE: "full",
          WEIR_PROVIDER: "offline"
        }
      })
      assert.deepStrictEqual(settings, {
        allow: ["bash(npm test*)", "edit_file"],
        apiKeyEnv: "MY_KEY",
        appendSystemPrompt: "Be kind.",
        autoCompact: "off",
        baseUrl: "http://localhost:1/v1",
        compactionRequest: "isolated",
        contextWindow: 10_000,
        headers: { a: "b=c", d: "e" },
        idleTimeout: 0,
        maxOutputTokens: 100,
        maxSteps: 5,
        model: "m",
        permissionMode: "full",
        provider: "offline"
      })
    }))

  it.effect("names file, path, expected and found", () =>
    Effect.gen(function*() {
      assert.match(
        yield* complaint({ user: "{\"contextWindow\": \"big\"}" }),
        /home\/config\.json contextWindow: .*number, actual "big"/
      )
      assert.match(
        yield* complaint({ user: "{\"headers\": {\"x\": 1}}" }),
        /config\.json headers\.x: .*string/
      )
      assert.match(yield* complaint({ user: "{\"modle\": \"m\"}" }), /config\.json modle: is unexpected/)
      assert.match(yield* complaint({ project: "{nonsense" }), /project\/\.weir\/config\.json: .*JSON/)
      assert.match(
        yield* complaint({ env: { WEIR_MAX_STEPS: "0" } }),
        /WEIR_MAX_STEPS: .*positive number, actual 0/
      )
      assert.match(
        yield* complaint({ env: { WEIR_IDLE_TIMEOUT: "-1" } }),
        /WEIR_IDLE_TIMEOUT: .*non-negative.*actual -1/
      )
      assert.match(yield* complaint({ user: "{\"idleTimeout\": 0.5}" }), /config\.json idleTimeout: .*actual 0\.5/)
      assert.match(yield* complaint({ env: { WEIR_HEADERS: "nonsense" } }), /WEIR_HEADERS: .*NAME=VALUE/)
    }))

  const misplaced: ReadonlyArray<Sources> = [
    { user: "{\"apiKeyEnv\": \"sk-secret\"}" },
    { user: "{\"baseUrl\": \"https://me:sk-secret@host/v1\"}" },
    { user: "{\"baseUrl\": \"ftp://me:sk-secret@host/v1\"}" },
    { user: "{\"baseUrl\": \"https://host/v1?key=sk-secret\"}" },
    { user: "{\"headers\": \"sk-secret\"}" },
    { user: "{\"headers\": {\"authorization\": [\"sk-secret\"]}}" },
    { user: "{\"headers\": {\"authorization\": \"Bearer\\nsk-secret\"}}" },
    { user: "{\"headers\": {\"authorization\": sk-secret}}" },
    { user: "sk-secret" },
    { env: { WEIR_BASE_URL: "https://sk-secret@host/v1" } },
    { env: { WEIR_HEADERS: "authorization: Bearer sk-secret" } },
    { env: { WEIR_HEADERS: "authorization: Bearer sk-secret=" } },
    { env: { WEIR_HEADERS: "authorization=Bearer sk-secret\u20ac" } }
  ]
  for (const sources of misplaced) {
    it.effect(`repeats no secret of ${JSON.stringify(sources)}`, () =>
      Effect.map(complaint(sources), (message) => assert.notMatch(message, /sk-|secret/)))
  }

  it.effect("lets a project's file not widen what the agent may do", () =>
    Effect.gen(function*() {
      assert.match(
        yield* complaint({ project: "{\"permissionMode\": \"full\"}" }),
        /permissionMode: .*--permission-mode/
      )
      assert.match(yield* complaint({ project: "{\"allow\": [\"bash\"]}" }), /allow: .*--allow/)
      const { settings } = yield* load({ project: "{\"permissionMode\": \"read-only\"}" })
      assert.strictEqual(settings.permissionMode, "read-only")
    }))

  it.effect("adds rules for tools up: none takes another back", () =>
    Effect.gen(function*() {
      const { settings } = yield* load({
        env: { WEIR_DENY: "grep" },
        flags: { allow: ["glob"], deny: ["bash(git push*)"] },
        project: "{\"deny\": [\"read_file(.env)\"]}",
        user: "{\"allow\": [\"bash(make)\"]}"
      })
      assert.deepStrictEqual(settings, {
        allow: ["bash(make)", "glob"],
        deny: ["read_file(.env)", "grep", "bash(git push*)"]
      })
      assert.match(yield* complaint({ env: { WEIR_ALLOW: "rm" } }), /WEIR_ALLOW.*Expected TOOL or TOOL\(pattern\)/)
    }))

  it.effect("tells an address that stands in the project's file alone", () =>
    Effect.gen(function*() {
      const project = "{\"baseUrl\": \"http://localhost:1\"}"
      assert.isTrue((yield* load({ project })).addressFromProject)
      assert.isTrue((yield* load({ project, user: "{\"baseUrl\": \"http://localhost:2\"}" })).addressFromProject)
      assert.isFalse((yield* load({ flags: { baseUrl: "http://localhost:1" }, project })).addressFromProject)
      assert.isFalse((yield* load({ user: project })).addressFromProject)
    }))
})

describe("home", () => {
  const locate = (variables: { readonly [name: string]: string }) =>
    Home.locate.pipe(environment(variables), Effect.provide(NodeContext.layer))

  it.effect("is WEIR_HOME, else the XDG directories, else their defaults", () =>
    Effect.gen(function*() {
      const xdg = { HOME: "/u", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d" }
      assert.deepStrictEqual(yield* locate({ ...xdg, WEIR_HOME: "/w" }), { config: "/w", data: "/w" })
      assert.deepStrictEqual(yield* locate(xdg), { config: "/c/weir", data: "/d/weir" })
      assert.deepStrictEqual(yield* locate({ HOME: "/u", XDG_DATA_HOME: "relative" }), {
        config: "/u/.config/weir",
        data: "/u/.local/share/weir"
      })
      assert.match((yield* Effect.flip(locate({}))).message, /HOME or WEIR_HOME/)
    }))
})
