/** The provider APIs that the command speaks, as the process tests choose them. */
import type { LoggedRequest } from "@weir/simulator/RequestLog"
import type { Simulator } from "@weir/simulator/Simulator"

export interface Api {
  readonly name: string
  readonly options: (simulator: Simulator["Type"]) => ReadonlyArray<string>
  readonly env: Record<string, string>
  /** An overflow that names no number. */
  readonly overflowWithoutNumber: { readonly status: number; readonly body: string }
  /** The same as an error in a stream. */
  readonly overflowFrame: { readonly message: string; readonly code?: string }
}

const callIds = (body: string) => [...body.matchAll(/"tool_(?:call|use)_id":"([^"]+)"/g)].map(([, id]) => id ?? "")

/**
 * Ids of calls in turn requests that an applied compaction had covered before: what native state should have let go.
 * Every compaction request that was answered must have been applied.
 */
export const discardedIds = (requests: ReadonlyArray<LoggedRequest>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const covered = new Set<string>()
  return requests.flatMap(({ body, kind, outcome }) => {
    if (kind === "compaction") {
      if (outcome === "answered") { for (const id of seen) covered.add(id) }
      return []
    }
    const ids = callIds(body)
    for (const id of ids) seen.add(id)
    return ids.filter((id) => covered.has(id))
  })
}

export const apis: ReadonlyArray<Api> = [
  {
    name: "Chat Completions",
    options: ({ url }) => ["--provider", "openai-compatible", "--base-url", url, "--model", "simulated"],
    env: {},
    overflowWithoutNumber: {
      status: 400,
      body: JSON.stringify({
        error: {
          message: "Please reduce the length of the messages or completion.",
          type: "invalid_request_error",
          param: "messages",
          code: "context_length_exceeded"
        }
      })
    },
    overflowFrame: {
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded"
    }
  },
  {
    name: "Anthropic Messages",
    options: ({ origin }) => ["--provider", "anthropic", "--base-url", origin, "--model", "simulated"],
    env: { ANTHROPIC_API_KEY: "sk-ant-simulated" },
    overflowWithoutNumber: {
      status: 400,
      body: JSON.stringify({
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long" }
      })
    },
    overflowFrame: { message: "prompt is too long", code: "invalid_request_error" }
  },
  {
    name: "Gemini",
    options: ({ origin }) => ["--provider", "google", "--base-url", origin, "--model", "simulated"],
    env: { GEMINI_API_KEY: "AIza-simulated" },
    overflowWithoutNumber: {
      status: 400,
      body: JSON.stringify({
        error: {
          code: 400,
          message: "The input token count exceeds the maximum number of tokens allowed.",
          status: "INVALID_ARGUMENT"
        }
      })
    },
    overflowFrame: {
      message: "The input token count exceeds the maximum number of tokens allowed.",
      code: "INVALID_ARGUMENT"
    }
  },
  {
    name: "Bedrock Converse",
    options: ({ origin }) => ["--provider", "bedrock", "--base-url", origin, "--model", "simulated"],
    env: { AWS_ACCESS_KEY_ID: "AKIA-simulated", AWS_REGION: "us-east-1", AWS_SECRET_ACCESS_KEY: "simulated" },
    overflowWithoutNumber: {
      status: 400,
      body: JSON.stringify({ message: "Input is too long for requested model." })
    },
    overflowFrame: { message: "Input is too long for requested model.", code: "validationException" }
  }
]
