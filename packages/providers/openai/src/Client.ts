/** How the official SDK is set up: without retries, limits of time and logs of its own. */
import * as Headers from "@weir/transport/Headers"
import type { SdkFetch } from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "openai"

export type Target = Pick<SdkModel.Options, "apiKey" | "baseUrl" | "headers">

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
  timeout: SdkModel.never,
  ...(!hasAccounts && { organization: null, project: null })
})
