/** The login to a ChatGPT subscription, in whatever browser the user has. */
import * as CodexOAuth from "@weir/openai/CodexOAuth"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { toLogin } from "./Credentials.js"
import { Host } from "./Host.js"
import * as LoginCallback from "./LoginCallback.js"
import * as SecretInput from "./SecretInput.js"
import { UsageError } from "./UsageError.js"

export type Code = Redacted.Redacted

const paste = "paste the address of the page that the browser ends on here, and press Enter"

/** The address that is pasted. Nothing at all is no answer, while the browser may bring one. */
const pasted = (browser: Effect.Effect<string> | undefined) =>
  Effect.flatMap(SecretInput.read("Address (not shown): "), (text) => {
    if (text !== "") return Effect.succeed(text)
    return browser ?? new UsageError({
      message: "There is no answer to the login: paste the address on standard input, or free the port."
    })
  })

/** The answer that comes first: in the browser on this machine, or pasted from any other. */
const answer = Effect.fnUntraced(function*(login: CodexOAuth.Login, redirectUri: string) {
  const { stderr } = yield* Host
  const listening = yield* Effect.either(
    LoginCallback.listen(redirectUri, (address) => CodexOAuth.isAnswer(address, login))
  )
  const browser = Either.getOrUndefined(listening)
  yield* stderr.write(
    `To log in, open this address in a browser, on this machine or any other:\n\n${login.url}\n\n` +
      (browser
        ? `Where the browser is on another machine, ${paste}.\n`
        : `Port ${new URL(redirectUri).port} is in use, so ${paste}.\n`)
  )
  return yield* browser ? Effect.raceFirst(browser, pasted(browser)) : pasted(browser)
}, Effect.scoped)

/** Waits for the user for as long as it takes. `issuer` is OpenAI unless another is named. */
export const logIn = Effect.fnUntraced(function*(
  options: { readonly issuer: string | undefined; readonly redirectUri?: string }
) {
  const login = yield* CodexOAuth.begin(options.issuer)
  const address = yield* answer(login, options.redirectUri ?? CodexOAuth.redirectUri)
  const code = yield* CodexOAuth.readCode(address, login)
  return toLogin(yield* CodexOAuth.finish(code, login))
})
