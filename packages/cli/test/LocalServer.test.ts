/** What servers nearby are asked, what of their answers counts, and that none of them can hold up or break a run. */
// @effect-diagnostics nodeBuiltinImport:off
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { assert, describe, it } from "@effect/vitest"
import * as Script from "@weir/simulator/Script"
import * as Simulator from "@weir/simulator/Simulator"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import { createServer } from "node:http"
import * as LocalServer from "../src/LocalServer.js"
import { directory } from "./Process.js"
import * as TestHost from "./TestHost.js"

const print = (value: unknown) => JSON.stringify(value)

type Answers = { readonly [path: string]: HttpServerResponse.HttpServerResponse | "never" }

const json = (value: unknown) => HttpServerResponse.text(print(value), { contentType: "application/json" })

/** A server with these answers, 404 elsewhere; `seen` holds paths and keys. */
const server = (answers: Answers) =>
  Effect.gen(function*() {
    const seen = yield* Ref.make<ReadonlyArray<string>>([])
    const context = yield* Layer.build(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 }))
    const { address, serve } = yield* HttpServer.HttpServer.pipe(Effect.provide(context))
    yield* serve(Effect.gen(function*() {
      const { headers, url } = yield* HttpServerRequest.HttpServerRequest
      yield* Ref.update(seen, (all) => [...all, `${url} ${headers["authorization"] ?? ""}`.trim()])
      const answer = answers[url]
      if (answer === "never") return yield* Effect.interruptible(Effect.never)
      return answer ?? HttpServerResponse.text("nothing here", { status: 404 })
    }))
    const port = address._tag === "TcpAddress" ? address.port : 0
    return { origin: `http://127.0.0.1:${port}`, seen: Ref.get(seen) }
  })

const windowAt = (baseUrl: string, model: string) =>
  Effect.map(LocalServer.ask({ baseUrl }), (served) => Option.getOrUndefined(LocalServer.windowOf(served, model)))

const vllm = json({ data: [{ id: "a", max_model_len: 40_000 }, { id: "b", max_model_len: null }], object: "list" })

const llama = {
  "/props": json({ default_generation_settings: { n_ctx: 8_192, params: {} }, total_slots: 4 }),
  "/v1/models": json({ data: [{ id: "x.gguf", meta: { n_ctx: 32_768, n_ctx_train: 131_072 } }] })
}

const ollama = {
  "/api/ps": json({ models: [{ context_length: 16_384, model: "qwen3:latest", name: "qwen3:latest" }] }),
  "/v1/models": json({ data: [{ id: "qwen3:latest" }, { id: "llama3:8b" }] })
}

// Side by side, beside the one that is silent.
describe.concurrent("a server nearby", () => {
  const cases: ReadonlyArray<readonly [string, Answers, string, number | undefined]> = [
    ["vLLM tells the window of each model", { "/v1/models": vllm }, "a", 40_000],
    ["vLLM: a model without a window", { "/v1/models": vllm }, "b", undefined],
    ["vLLM: a model it does not serve", { "/v1/models": vllm }, "c", undefined],
    ["llama.cpp: a slot's window counts, whatever the model is called", llama, "anything", 8_192],
    ["Ollama: the window of a loaded model, with or without its tag", ollama, "qwen3", 16_384],
    ["Ollama: a model that is not loaded", ollama, "llama3:8b", undefined],
    ["the only model answers to any name", { "/v1/models": llama["/v1/models"] }, "y", 32_768],
    ["other JSON", { "/props": json([]), "/v1/models": json({ data: "none" }) }, "a", undefined],
    ["no JSON", { "/v1/models": HttpServerResponse.text("<html>") }, "a", undefined],
    ["a window of nothing", { "/v1/models": json({ data: [{ id: "a", max_model_len: 0 }] }) }, "a", undefined],
    [
      "a server elsewhere, to which it points",
      { "/v1/models": HttpServerResponse.redirect("http://example.invalid/") },
      "a",
      undefined
    ]
  ]
  it.scopedLive("that is silent costs two seconds, and spoils no other answer", () =>
    Effect.gen(function*() {
      const { origin } = yield* server({ "/api/ps": "never", "/props": "never", "/v1/models": vllm })
      const before = yield* Clock.currentTimeMillis
      assert.strictEqual(yield* windowAt(origin, "a"), 40_000)
      assert.isBelow((yield* Clock.currentTimeMillis) - before, 4_000)
    }))

  for (const [title, answers, model, window] of cases) {
    it.scopedLive(title, () =>
      Effect.gen(function*() {
        const { origin } = yield* server(answers)
        assert.strictEqual(yield* windowAt(`${origin}/v1`, model), window)
      }))
  }

  it.scopedLive("is asked at its root whatever the address's version, with the key", () =>
    Effect.gen(function*() {
      for (const path of ["", "/", "/v1", "/v1/", "/v1beta"]) {
        const { origin, seen } = yield* server({})
        yield* LocalServer.ask({ apiKey: Redacted.make("k"), baseUrl: `${origin}${path}` })
        const asked = [...(yield* seen)].sort()
        assert.deepStrictEqual(asked, ["/api/ps", "/props", "/v1/models"].map((url) => `${url} Bearer k`))
      }
    }))

  it.scopedLive("gets a header of the user's own in the place of the key, whatever its capitals", () =>
    Effect.gen(function*() {
      const { origin, seen } = yield* server({})
      const headers = { Authorization: "Bearer mine" }
      yield* LocalServer.ask({ apiKey: Redacted.make("k"), baseUrl: origin, headers })
      assert.deepStrictEqual((yield* seen).map((asked) => asked.split(" ").slice(1).join(" ")), [
        "Bearer mine",
        "Bearer mine",
        "Bearer mine"
      ])
    }))

  it.live("that is not there says nothing", () =>
    Effect.map(windowAt("http://127.0.0.1:9/v1", "a"), (window) => assert.isUndefined(window)))

  const local = [
    "http://localhost:8080",
    "http://127.0.0.1/v1",
    "http://[::1]:1",
    "http://10.1.2.3",
    "http://192.168.0.9:1234/v1",
    "http://172.20.0.2",
    "http://gpu.local:8000",
    "http://host.docker.internal:11434"
  ]
  const remote = [
    "https://api.openai.com/v1",
    "http://172.32.0.1",
    "http://11.0.0.1",
    "https://localhost.example",
    "https://10.example.com",
    "https://127.0.0.1.example",
    "nonsense"
  ]
  it("is one on this machine or in a private network", () => {
    for (const address of local) assert.isTrue(LocalServer.isLocal(address), address)
    for (const address of remote) assert.isFalse(LocalServer.isLocal(address), address)
  })
})

describe.concurrent("the command and a server nearby", () => {
  it.scopedLive("a run takes the window that the server tells; --context-window spares the question", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const simulator = yield* Simulator.make({ script: Script.reply("Hi."), window: 24_000 })
      const command = ["run", "--base-url", simulator.url, "--model", "simulated", "hi"]
      yield* TestHost.run(command, { cwd })
      yield* TestHost.run([...command, "--context-window", "60000"], { cwd })
      const limits = (yield* simulator.requests).map(({ body }) => /"max_(?:completion_)?tokens":(\d+)/.exec(body)?.[1])
      // A third of 24,000 is less than the 8,192 that would be asked for.
      assert.deepStrictEqual(limits, ["8000", "8192"])
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("weir models lists what the server serves before what the catalogue knows", () =>
    Effect.gen(function*() {
      const cwd = yield* directory({ ".home/config.json": print({ apiKeyEnv: "MINE" }) })
      const { origin, seen } = yield* server({
        "/v1/models": json({ data: [{ id: "a\u001b[31m", max_model_len: 9_000 }] })
      })
      const { code, stderr, stdout } = yield* TestHost.run(["models", "--base-url", `${origin}/v1`], {
        cwd,
        env: { MINE: "k" }
      })
      assert.strictEqual(code, 0, stderr)
      const [heading = "", first = "", second = ""] = stdout.split("\n")
      assert.match(heading, /^PROVIDER +MODEL +WINDOW +INPUT +OUTPUT/)
      assert.match(first, /^local +a\u241b\[31m +9000 /)
      assert.match(second, /^openai-codex +gpt-\S+ +\d+ /)
      assert.include(yield* seen, "/v1/models Bearer k")
      const gone = yield* TestHost.run(["models", "--base-url", "http://127.0.0.1:9/v1"], { cwd, env: { MINE: "k" } })
      assert.match(gone.stderr, /^weir: http:\/\/127\.0\.0\.1:9\/v1 does not say/)
      assert.strictEqual(gone.code, 0)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scopedLive("weir models --provider lists one provider or host, with windows, limits and prices", () =>
    Effect.gen(function*() {
      const cwd = yield* directory()
      const { stderr, stdout } = yield* TestHost.run(["models", "--provider", "anthropic"], { cwd })
      assert.strictEqual(stderr, "")
      assert.match(stdout, /^anthropic +claude-sonnet-4-5 +200000 +- +64000 +3 +15 +0\.3 +3\.75 +images reasoning$/m)
      const others = stdout.trim().split("\n").slice(1).filter((line) => !line.startsWith("anthropic "))
      assert.deepStrictEqual(others, [])
      assert.match((yield* TestHost.run(["models", "--provider", "groq"], { cwd })).stdout, /^groq +llama/m)
    }).pipe(Effect.provide(NodeContext.layer)))
})
