/** How the official SDK is set up: without retries, limits of time and logs of its own. */
import * as Headers from "@weir/transport/Headers"
import type { SdkFetch } from "@weir/transport/SdkFetch"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "openai"

/** The longest that a timer can wait. The SDK's own timeout cannot be switched off. */
export const never = 2_147_483_647

export interface Target {
  readonly baseUrl: string
  /** Left out for servers that want none. */
  readonly apiKey?: Redacted.Redacted
  readonly headers?: Headers.Headers
}

/**
 * `hasAccounts`: the organization and project that the SDK finds in its own variables are meant for this server.
 * Logging is off because the SDK would write what it cannot parse to standard error.
 */
export const options = (
  { apiKey, baseUrl, headers }: Target,
  hasAccounts: boolean,
  fetch: SdkFetch
): ClientOptions => ({
  adminAPIKey: null,
  apiKey: apiKey ? Redacted.value(apiKey) : "none",
  baseURL: baseUrl,
  defaultHeaders: {
    "x-stainless-timeout": null,
    ...(!apiKey && { authorization: null }),
    ...Headers.reveal(headers)
  },
  fetch,
  logLevel: "off",
  maxRetries: 0,
  timeout: never,
  ...(!hasAccounts && { organization: null, project: null })
})
