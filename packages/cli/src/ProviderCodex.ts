/** A ChatGPT subscription, which is reached by a login. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { codexTokens, Credentials } from "./Credentials.js"
import type { Access, Provider } from "./ProviderAccess.js"
import type { Loaded } from "./Settings.js"
import { UsageError } from "./UsageError.js"

const name = "openai-codex"

const howToLogIn = `Log in with: weir auth login ${name}`

const readLogin = Effect.gen(function*() {
  const credentials = yield* Credentials
  return yield* codexTokens(credentials, name).load.pipe(
    Effect.mapError(({ message }) => new UsageError({ message }))
  )
})

const access = Effect.fnUntraced(function*({ addressFromProject, settings }: Loaded) {
  const { defaultBaseUrl, make } = yield* Effect.promise(() => import("@weir/openai/OpenAiCodex"))
  const baseUrl = settings.baseUrl ?? defaultBaseUrl
  if (addressFromProject) {
    return yield* new UsageError({
      message: `The address ${baseUrl} comes from the project's settings, so no login is sent, and ${name} answers ` +
        `nobody without. To send it: --base-url ${baseUrl}`
    })
  }
  if (Option.isNone(yield* readLogin)) {
    return yield* new UsageError({
      message: `There is no login for ${name}. ${howToLogIn}`
    })
  }
  const store = codexTokens(yield* Credentials, name)
  return {
    baseUrl,
    make: (asked) =>
      Effect.gen(function*() {
        const CodexAccount = yield* Effect.promise(() => import("@weir/openai/CodexAccount"))
        const credentials = CodexAccount.make({ howToLogIn, model: asked.model, provider: name, store })
        return make({ ...asked, baseUrl, credentials })
      }),
    notices: []
  } satisfies Access
})

export const codex: Provider<Credentials> = {
  access,
  catalogued: true,
  credential: Effect.map(
    readLogin,
    Option.map(({ accountId, expiresAt }) =>
      `login of account ${accountId}, good until ${DateTime.formatIso(DateTime.unsafeMake(expiresAt))}, then renewed`
    )
  ),
  defaultModel: "gpt-6.2-sol",
  name,
  // No limit can be sent: this much is kept free.
  outputCap: 8_192,
  sign: Effect.map(readLogin, Option.as("you are logged in"))
}
