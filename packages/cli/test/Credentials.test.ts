import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as LockFile from "@weir/session/LockFile"
import * as Redaction from "@weir/session/Redaction"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as MutableHashSet from "effect/MutableHashSet"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as TestServices from "effect/TestServices"
import * as Stored from "../src/Credentials.js"
import { ApiKey, CodexLogin, codexTokens, Credentials, layerFile } from "../src/Credentials.js"
import { KnownSecrets } from "../src/KnownSecrets.js"
import * as Opening from "../src/Opening.js"
import * as Secrets from "../src/Secrets.js"

const key = ApiKey.make({ key: Redacted.make("sk-secret-1") })

const login = (number: number) =>
  CodexLogin.make({
    accessToken: Redacted.make(`access-${number}`),
    accountId: "acc-1",
    expiresAt: 1234,
    refreshToken: Redacted.make(`refresh-${number}`)
  })

/** The store with all that can be done to it. */
const withAll = (store: Credentials["Type"]) => ({
  ...store,
  remove: (provider: string) => Effect.provideService(Stored.remove(provider), Credentials, store),
  set: (provider: string, credential: Stored.Credential) =>
    Effect.provideService(Stored.set(provider, credential), Credentials, store)
})

/** As another process has it. */
const opened = (file: string) =>
  Effect.map(Layer.build(layerFile(file)), (context) => withAll(Context.get(context, Credentials)))

/** A test of the store in a home that does not exist yet. */
const stored = <E>(
  test: (home: {
    readonly fs: FileSystem.FileSystem
    readonly home: string
    readonly file: string
    readonly credentials: ReturnType<typeof withAll>
  }) => Effect.Effect<void, E, Scope.Scope>
) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const home = `${yield* fs.makeTempDirectoryScoped()}/weir`
    const file = `${home}/credentials.json`
    const credentials = yield* opened(file)
    yield* test({ credentials, file, fs, home })
  }).pipe(Effect.provide(NodeContext.layer))

const modeOf = ({ mode }: FileSystem.File.Info) => mode & 0o777

describe("Credentials", () => {
  it.scoped("are none without a file, and nothing writes one", () =>
    stored(({ credentials, file, fs }) =>
      Effect.gen(function*() {
        assert.isTrue(Option.isNone(yield* credentials.get("openai-codex")))
        assert.isFalse(yield* fs.exists(file))
      })
    ))

  it.scoped("come back as they were, each under its provider", () =>
    stored(({ credentials, file }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai", key)
        yield* credentials.set("openai-codex", login(1))
        yield* credentials.set("openai-codex", login(2))
        const again = yield* Effect.provide(opened(file), NodeContext.layer)
        for (const store of [credentials, again]) {
          assert.deepStrictEqual(yield* store.get("openai"), Option.some(key))
          assert.deepStrictEqual(yield* store.get("openai-codex"), Option.some(login(2)))
        }
      })
    ))

  it.scoped("are nobody else's to read, however the file came to be", () =>
    stored(({ credentials, file, fs, home }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai", key)
        assert.strictEqual(modeOf(yield* fs.stat(file)), 0o600)
        assert.strictEqual(modeOf(yield* fs.stat(home)), 0o700)
        yield* fs.chmod(file, 0o644)
        yield* credentials.set("openai", key)
        assert.strictEqual(modeOf(yield* fs.stat(file)), 0o600)
        assert.deepStrictEqual(yield* fs.readDirectory(home), ["credentials.json"])
      })
    ))

  it.scoped("can be removed", () =>
    stored(({ credentials }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai", key)
        yield* credentials.set("openai-codex", login(1))
        assert.isTrue(yield* credentials.remove("openai"))
        assert.isFalse(yield* credentials.remove("openai"))
        assert.isTrue(Option.isNone(yield* credentials.get("openai")))
        assert.isTrue(Option.isSome(yield* credentials.get("openai-codex")))
      })
    ))

  it.scoped("survive changes at the same time", () =>
    stored(({ credentials }) =>
      Effect.gen(function*() {
        const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
        yield* Effect.forEach(names, (name) => credentials.set(name, key), { concurrency: "unbounded" })
        for (const name of names) assert.isTrue(Option.isSome(yield* credentials.get(name)), name)
      })
    ))

  for (
    const [name, text] of [
      ["that is no JSON", "{\"openai\": sk-secret-1"],
      ["of another form", "{\"openai\": {\"_tag\": \"ApiKey\", \"key\": [\"sk-secret-1\"]}}"]
    ] as const
  ) {
    it.scoped(`in a file ${name} are an error that names the file and no secret, and stay as they are`, () =>
      stored(({ credentials, file, fs, home }) =>
        Effect.gen(function*() {
          yield* fs.makeDirectory(home)
          yield* fs.writeFileString(file, text)
          const errors = [
            yield* Effect.flip(credentials.get("openai")),
            yield* Effect.flip(credentials.set("openai", key)),
            yield* Effect.flip(credentials.remove("openai"))
          ]
          for (const error of errors) {
            assert.include(error.message, file)
            assert.include(error.message, "log in again")
            assert.notInclude(String(error), "sk-secret")
          }
          assert.strictEqual(yield* fs.readFileString(file), text)
        })
      ))
  }

  it.scoped("that cannot be written leave nothing behind", () =>
    stored(({ credentials, file, fs, home }) =>
      Effect.gen(function*() {
        yield* fs.makeDirectory(`${file}/in-the-way`, { recursive: true })
        const error = yield* Effect.flip(credentials.set("openai", key))
        assert.include(error.message, file)
        assert.deepStrictEqual(yield* fs.readDirectory(home), ["credentials.json"])
      })
    ))

  it.scoped("hold the tokens of a login, and take new ones", () =>
    stored(({ credentials, file, fs }) =>
      Effect.gen(function*() {
        const tokens = codexTokens(credentials, "openai-codex")
        yield* credentials.set("openai-codex", key)
        assert.isTrue(Option.isNone(yield* tokens.load))
        yield* tokens.change(() => Effect.succeed(login(1)))
        assert.deepStrictEqual(yield* tokens.load, Option.some(login(1)))
        assert.deepStrictEqual(yield* credentials.get("openai-codex"), Option.some(login(1)))
        const before = yield* fs.stat(file)
        yield* tokens.change(Effect.orDie)
        assert.deepStrictEqual((yield* fs.stat(file)).ino, before.ino)
      })
    ))
})

describe("Credentials that are renewed while a session runs", () => {
  it.scoped("are recorded no more than those it began with", () =>
    stored(({ credentials }) =>
      Effect.gen(function*() {
        const redact = Redaction.of(yield* KnownSecrets)
        yield* credentials.set("openai-codex", login(101))
        yield* codexTokens(credentials, "openai-codex").change(() => Effect.succeed(login(102)))
        const said = (text: string) => redact([{ _tag: "SessionRenamed", title: text }])[0]
        for (const secret of ["access-101", "refresh-101", "access-102", "refresh-102"]) {
          assert.deepStrictEqual(said(`it is ${secret}!`), { _tag: "SessionRenamed", title: "it is [redacted]!" })
        }
        assert.deepStrictEqual(said("access-103"), { _tag: "SessionRenamed", title: "access-103" })
      })
    ).pipe(Effect.provideService(KnownSecrets, MutableHashSet.empty())))
})

describe("keys in the files of the AWS tools", () => {
  it.scoped("are recorded no more than others", () =>
    stored(({ fs, home }) =>
      Effect.gen(function*() {
        yield* fs.makeDirectory(`${home}/.aws`, { recursive: true })
        const file = "[default]\naws_access_key_id = AKIA1\naws_secret_access_key = secret/of+aws\n" +
          "[other]\naws_session_token=token-of-aws==\n"
        yield* fs.writeFileString(`${home}/.aws/credentials`, file)
        yield* fs.writeFileString(`${home}/.aws/config`, "[profile third]\naws_secret_access_key = secret-of-config\n")
        const redact = yield* Secrets.redaction.pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HOME", home], ["WEIR_HOME", home]]))),
          Effect.provide(NodeContext.layer)
        )
        const title = "secret/of+aws, token-of-aws==, secret-of-config, AKIA1"
        assert.deepStrictEqual(redact([{ _tag: "SessionRenamed", title }]), [
          { _tag: "SessionRenamed", title: "[redacted], [redacted], [redacted], AKIA1" }
        ])
      })
    ).pipe(Effect.provideService(KnownSecrets, MutableHashSet.empty())))
})

describe("headers that hold a key", () => {
  it.scoped("are recorded no more than keys", () =>
    stored(({ fs, home }) =>
      Effect.gen(function*() {
        yield* fs.makeDirectory(home, { recursive: true })
        const redact = yield* Effect.zipRight(
          Opening.place({
            cwd: Option.some(home),
            flags: { headers: { "Authorization": "Bearer header-secret-1", "X-Team": "blue-team-1" } }
          }),
          Secrets.redaction
        ).pipe(
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["HOME", home], ["WEIR_HOME", home]]))),
          Effect.provide(NodeContext.layer)
        )
        assert.deepStrictEqual(redact([{ _tag: "SessionRenamed", title: "header-secret-1 of blue-team-1" }]), [
          { _tag: "SessionRenamed", title: "[redacted] of blue-team-1" }
        ])
      })
    ).pipe(Effect.provideService(KnownSecrets, MutableHashSet.empty())))
})

describe("Credentials that several processes use", () => {
  it.live("are changed by one after the other, each of which sees what the last has made of them", () =>
    Effect.scoped(stored(({ credentials, file, fs, home }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai-codex", login(0))
        const others = yield* Effect.replicateEffect(Effect.provide(opened(file), NodeContext.layer), 6)
        const seen: Array<string> = []
        const renew = (store: Credentials["Type"]) =>
          codexTokens(store, "openai-codex").change((now) =>
            Effect.gen(function*() {
              const { accessToken } = Option.getOrThrow(now)
              seen.push(Redacted.value(accessToken))
              yield* Effect.sleep("5 millis")
              return login(seen.length)
            })
          )
        yield* Effect.forEach(others, renew, { concurrency: "unbounded" })
        assert.deepStrictEqual(seen, ["access-0", "access-1", "access-2", "access-3", "access-4", "access-5"])
        assert.deepStrictEqual(yield* credentials.get("openai-codex"), Option.some(login(6)))
        assert.deepStrictEqual(yield* fs.readDirectory(home), ["credentials.json"])
      })
    )))

  it.live("are not kept by a lock that a dead process has left", () =>
    Effect.scoped(stored(({ credentials, file, fs, home }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai", key)
        yield* fs.writeFileString(`${file}.lock`, "")
        yield* credentials.set("google", key)
        assert.deepStrictEqual(yield* fs.readDirectory(home), ["credentials.json"])
      })
    )))

  it.scoped("are waited for for a minute; who holds them is told then", () =>
    stored(({ credentials, file }) =>
      Effect.gen(function*() {
        yield* credentials.set("openai", key)
        yield* Effect.provide(LockFile.acquire(`${file}.lock`, file), NodeContext.layer)
        const setting = yield* Effect.fork(Effect.flip(credentials.set("google", key)))
        const passing = TestServices.provideLive(Effect.sleep("1 millis")).pipe(
          Effect.zipRight(TestClock.adjust("10 seconds")),
          Effect.forever
        )
        const error = yield* Effect.raceFirst(Fiber.join(setting), passing)
        assert.match(error.message, /are being changed by another process \(process \d+ on .*\)\. Try again later/)
        assert.isTrue(Option.isNone(yield* credentials.get("google")))
      })
    ))

  it.live("that are being renewed are waited for when the store closes", () =>
    Effect.scoped(stored(({ credentials, file }) =>
      Effect.gen(function*() {
        const answer = yield* Deferred.make<CodexLogin>()
        const scope = yield* Scope.make()
        const store = yield* Effect.provide(Scope.extend(opened(file), scope), NodeContext.layer)
        yield* Effect.forkDaemon(codexTokens(store, "openai-codex").change(() => Deferred.await(answer)))
        yield* Effect.sleep("20 millis")
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        yield* Effect.sleep("20 millis")
        yield* Deferred.succeed(answer, login(1))
        yield* Fiber.join(closing)
        assert.deepStrictEqual(yield* credentials.get("openai-codex"), Option.some(login(1)))
      })
    )))
})
