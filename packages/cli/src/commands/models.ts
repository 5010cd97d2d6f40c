/** `weir models`: what is known of models before they are asked. */
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../Address.js"
import * as Entry from "../Entry.js"
import { checked, given } from "../SettingOption.js"

const options = {
  provider: Options.text("provider").pipe(
    Options.withPseudoName("NAME"),
    checked(Schema.NonEmptyString),
    Options.withDescription("Only the models of one provider, such as openai, or of a host, such as openrouter."),
    Options.optional
  ),
  baseUrl: Options.text("base-url").pipe(
    Options.withPseudoName("URL"),
    checked(Address),
    Options.withDescription("Ask the server at this address, on this machine or network, what it serves."),
    given((baseUrl) => ({ baseUrl }))
  )
}

/** Loads the catalogue on first use. */
export const entry = Entry.make("models", {
  args: Entry.noArgs,
  description: "List known models with their windows, output limits and prices.",
  handler: ({ baseUrl, provider }) =>
    Effect.gen(function*() {
      const { list } = yield* Effect.promise(() => import("../ModelList.js"))
      yield* list({ flags: baseUrl, provider: Option.getOrUndefined(provider) })
      return 0
    }),
  options: Options.all(options),
  record: options
})
