/** Logs in, logs out, and tells where each provider's key or login comes from. No secret is ever shown. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Credentials from "./Credentials.js"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import * as Provider from "./Provider.js"
import * as ProviderKey from "./ProviderKey.js"
import type { Name } from "./ProviderTable.js"
import * as SecretInput from "./SecretInput.js"
import { UsageError } from "./UsageError.js"

const say = (line: string) => Effect.flatMap(Host, ({ stdout }) => stdout.write(`${line}\n`))

/** With this user's credentials. */
const withCredentials = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const credentials = yield* Layer.build(Credentials.layerHome(yield* Home.locate))
    return yield* Effect.provide(self, credentials)
  }))

const find = (name: string) =>
  Effect.mapError(
    Effect.fromNullable(Provider.all.find((provider) => provider.name === name)),
    () =>
      new UsageError({
        message: name === "offline"
          ? "The offline helper needs no key."
          : `There is no provider "${name}". Expected ${Provider.all.map((provider) => provider.name).join(", ")}.`
      })
  )

const readKey = Effect.fnUntraced(function*(name: Name) {
  const text = yield* SecretInput.read(`Key for ${name} (not shown): `)
  if (text !== "") return Credentials.ApiKey.make({ key: yield* ProviderKey.check(text, "standard input") })
  return yield* new UsageError({
    message: `There is no key on standard input. Pipe it, for example: weir auth login ${name} <key.txt`
  })
})

const obtain = Effect.fnUntraced(function*(name: Name, issuer: Option.Option<string>) {
  if (name !== "openai-codex") {
    return Option.isSome(issuer)
      ? yield* new UsageError({ message: `--issuer is for openai-codex; ${name} takes a key.` })
      : yield* readKey(name)
  }
  const { logIn } = yield* Effect.promise(() => import("./CodexLogin.js"))
  return yield* logIn({ issuer: Option.getOrUndefined(issuer) })
})

/** Stores what standard input, or the browser, gives. */
export const login = Effect.fnUntraced(function*(given: string, issuer: Option.Option<string>) {
  const { credential: found, name } = yield* find(given)
  const obtained = yield* obtain(name, issuer)
  yield* Credentials.set(name, obtained)
  yield* say(obtained._tag === "ApiKey" ? `The key for ${name} is stored.` : `You are logged in to ${name}.`)
  const first = Option.getOrElse(yield* found, () => "")
  if (obtained._tag === "ApiKey" && first !== "stored key") yield* say(`What comes before it: ${first}.`)
}, withCredentials)

/** Deletes what is stored; what the environment holds stays. */
export const logout = Effect.fnUntraced(function*(given: string) {
  const { credential: found, name } = yield* find(given)
  const removed = yield* Credentials.remove(name)
  yield* say(removed ? `What was stored for ${name} is deleted.` : `There was nothing stored for ${name}.`)
  const left = yield* found
  if (Option.isSome(left)) yield* say(`What remains: ${left.value}.`)
}, withCredentials)

const lines = (providers: typeof Provider.all) => {
  const width = Math.max(...providers.map(({ name }) => name.length))
  return Effect.forEach(providers, ({ credential, name }) =>
    Effect.map(
      Effect.catchAll(credential, ({ message }) => Effect.succeedSome(message)),
      (found) => ({ found, line: `${name.padEnd(width)}  ${Option.getOrElse(found, () => "none")}` })
    ))
}

/** One line a provider. Succeeds with the exit code: 1 when there is nothing for the one that was asked for. */
export const status = Effect.fnUntraced(function*(given: Option.Option<string>) {
  const providers = Option.isSome(given) ? [yield* find(given.value)] : Provider.all
  const told = yield* lines(providers)
  yield* Effect.forEach(told, ({ line }) => say(line), { discard: true })
  return Option.isSome(given) && told.some(({ found }) => Option.isNone(found)) ? 1 : 0
}, withCredentials)
