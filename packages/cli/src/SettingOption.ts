/** Options whose values are checked by a schema, and end up in the settings. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Settings from "./Settings.js"

/** The value as a schema takes it, its complaint in one line. */
export const checked = <A>(schema: Schema.Schema<A>) =>
  Options.mapEffect((value: A) =>
    Schema.validate(schema)(value).pipe(
      Effect.mapError((error) => ValidationError.invalidValue(HelpDoc.p(Settings.complaint(error))))
    )
  )

/** An option that contributes to the settings when it is given. */
export const given = <A, B extends Settings.Settings>(f: (value: A) => B) => (self: Options.Options<A>) =>
  self.pipe(
    Options.optional,
    Options.map(Option.match({ onNone: (): Settings.Settings => ({}), onSome: (value): Settings.Settings => f(value) }))
  )
