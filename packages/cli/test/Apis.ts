/** The provider APIs that the command speaks, as the process tests choose them. */
import * as CodexError from "@weir/simulator/CodexError"
import type { Fault } from "@weir/simulator/Fault"
import type { LoggedRequest } from "@weir/simulator/RequestLog"
import type { Simulator } from "@weir/simulator/Simulator"

export interface Api {
  readonly name: string
  readonly options: (simulator: Simulator["Type"]) => ReadonlyArray<string>
  /** The environment that holds the key. */
  readonly env: (key: string) => Record<string, string>
  /** The files that hold the login, where it is reached by one. */
  readonly login?: (key: string, simulator: Simulator["Type"]) => Record<string, string>
  /** An overflow that names no number. */
  readonly overflowWithoutNumber: Fault
  /** The same as an error in a stream. */
  readonly overflowFrame: { readonly message: string; readonly code?: string }
}

const marks = /"(?:tool_(?:call|use)_id|call_id|toolUseId|signature|thoughtSignature|encrypted_content)":"([^"]+)"/g

/** What only native history holds: ids of calls, signatures of thoughts. */
export const nativeMarks = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(marks)].map(([, mark]) => mark ?? "")

/**
 * Native marks in turn requests that an applied compaction had covered before: what native state should have let go.
 * Every compaction request that was answered must have been applied.
 */
export const discarded = (requests: ReadonlyArray<LoggedRequest>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const covered = new Set<string>()
  return requests.flatMap(({ body, kind, outcome }) => {
    if (kind === "compaction") {
      if (outcome === "answered") { for (const id of seen) covered.add(id) }
      return []
    }
    const ids = nativeMarks(body)
    for (const id of ids) seen.add(id)
    return ids.filter((id) => covered.has(id))
  })
}

/** The files of the home that hold the login, where the API is reached by one. */
export const login = (api: Api, key: string, simulator: Simulator["Type"]): Record<string, string> =>
  api.login?.(key, simulator) ?? {}

const refused = (body: object): Fault => ({
  _tag: "Http",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" },
  status: 400
})

/** The one that most providers speak. */
export const chat: Api = {
  name: "Chat Completions",
  options: ({ url }) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"],
  env: (key) => ({ OPENAI_API_KEY: key }),
  overflowWithoutNumber: refused({
    error: {
      message: "Please reduce the length of the messages or completion.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded"
    }
  }),
  overflowFrame: {
    message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    code: "context_length_exceeded"
  }
}

export const apis: ReadonlyArray<Api> = [
  chat,
  {
    name: "OpenAI Responses",
    options: ({ url }) => ["--provider", "openai", "--base-url", url, "--model", "simulated"],
    env: (key) => ({ OPENAI_API_KEY: key }),
    overflowWithoutNumber: refused({
      error: {
        message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
        type: "invalid_request_error",
        param: "input",
        code: "context_length_exceeded"
      }
    }),
    overflowFrame: {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded"
    }
  },
  {
    name: "OpenAI Codex",
    options: ({ origin }) => [
      ...["--provider", "openai-codex", "--base-url", `${origin}/backend-api/codex`],
      ...["--model", "simulated"]
    ],
    env: () => ({}),
    login: (key, { origin: issuer }) => ({
      ".home/credentials.json": JSON.stringify({
        "openai-codex": {
          _tag: "CodexLogin",
          accessToken: key,
          accountId: "account-1",
          // In the year 2100.
          expiresAt: 4_102_444_800_000,
          issuer,
          refreshToken: "refresh-1"
        }
      })
    }),
    overflowWithoutNumber: {
      _tag: "Http",
      body: CodexError.windowExceeded.events ?? "",
      headers: { "content-type": "text/event-stream" },
      status: 200
    },
    overflowFrame: {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded"
    }
  },
  {
    name: "Anthropic Messages",
    options: ({ origin }) => ["--provider", "anthropic", "--base-url", origin, "--model", "simulated"],
    env: (key) => ({ ANTHROPIC_API_KEY: key }),
    overflowWithoutNumber: refused({
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long" }
    }),
    overflowFrame: { message: "prompt is too long", code: "invalid_request_error" }
  },
  {
    name: "Gemini",
    options: ({ origin }) => ["--provider", "google", "--base-url", origin, "--model", "simulated"],
    env: (key) => ({ GEMINI_API_KEY: key }),
    overflowWithoutNumber: refused({
      error: {
        code: 400,
        message: "The input token count exceeds the maximum number of tokens allowed.",
        status: "INVALID_ARGUMENT"
      }
    }),
    overflowFrame: {
      message: "The input token count exceeds the maximum number of tokens allowed.",
      code: "INVALID_ARGUMENT"
    }
  },
  {
    name: "Bedrock Converse",
    options: ({ origin }) => ["--provider", "bedrock", "--base-url", origin, "--model", "simulated"],
    env: (key) => ({ AWS_BEARER_TOKEN_BEDROCK: key, AWS_REGION: "us-east-1" }),
    overflowWithoutNumber: refused({ message: "Input is too long for requested model." }),
    overflowFrame: { message: "Input is too long for requested model.", code: "validationException" }
  }
]
