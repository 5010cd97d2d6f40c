/** By what right a request is made. */
import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"

export type Credentials = Data.TaggedEnum<{
  /** Keys of an account, which sign each request. */
  Keys: {
    readonly accessKeyId: string
    readonly secretAccessKey: Redacted.Redacted
    /** For keys that are only valid for a while. */
    readonly sessionToken?: Redacted.Redacted
  }
  /** A Bedrock API key, sent as a bearer. */
  ApiKey: { readonly key: Redacted.Redacted }
  /** Whatever the AWS tools of this machine would use: variables, profiles, single sign-on, the machine's own role. */
  Chain: {
    /** The profile that `AWS_PROFILE` names, or the default, when left out. */
    readonly profile?: string
  }
}>
export const Credentials = Data.taggedEnum<Credentials>()

/** The values that must not show up in a text. */
export const secrets = Credentials.$match({
  ApiKey: ({ key }) => [key],
  Chain: () => [],
  Keys: ({ secretAccessKey, sessionToken }) => [secretAccessKey, ...(sessionToken ? [sessionToken] : [])]
})
