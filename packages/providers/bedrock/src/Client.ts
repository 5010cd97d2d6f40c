/**
 * The SDK's client, loaded and made at the first request. It speaks HTTP/1.1, tries once, waits as long as it takes,
 * writes nothing to standard error, and fails with what the server really said.
 *
 * @effect-diagnostics asyncFunction:off processEnv:off
 */
import type {
  BedrockRuntimeClientConfig,
  ConverseStreamCommandInput,
  ConverseStreamOutput
} from "@aws-sdk/client-bedrock-runtime"
import * as Headers from "@weir/transport/Headers"
import * as Redact from "@weir/transport/Redact"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Credentials } from "./Credentials.js"

/** `body` is any silence of the server, also before it answers. */
export type Timeouts = Pick<SdkFetch.Timeouts, "body" | "connect">

export interface Options {
  readonly region: string
  readonly baseUrl: string | undefined
  readonly credentials: Credentials
  readonly headers: Headers.Headers | undefined
  readonly timeouts: Timeouts
}

export interface Client {
  /** `onAnswer` is told when an answer has begun, which is before its first event is there. */
  readonly send: (
    input: ConverseStreamCommandInput,
    signal: AbortSignal,
    onAnswer: () => void
  ) => Promise<AsyncIterable<ConverseStreamOutput>>
}

const silent = () => undefined
const logger = { debug: silent, error: silent, info: silent, trace: silent, warn: silent }

const identity = (credentials: Credentials): BedrockRuntimeClientConfig =>
  Credentials.$match(credentials, {
    ApiKey: ({ key }) => ({ authSchemePreference: ["httpBearerAuth"], token: { token: Redacted.value(key) } }),
    Chain: ({ profile }) => profile === undefined ? {} : { authSchemePreference: ["sigv4"], profile },
    Keys: ({ accessKeyId, secretAccessKey, sessionToken }) => ({
      authSchemePreference: ["sigv4"],
      credentials: {
        accessKeyId,
        secretAccessKey: Redacted.value(secretAccessKey),
        ...(sessionToken && { sessionToken: Redacted.value(sessionToken) })
      }
    })
  })

/** Another address than AWS's own knows none of its variants. */
const endpoint = (baseUrl: string | undefined): BedrockRuntimeClientConfig => {
  if (baseUrl === undefined) return {}
  const { protocol } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol)) throw new TypeError("URL scheme must be http or https")
  return { endpoint: baseUrl.replace(/\/+$/, ""), useDualstackEndpoint: false, useFipsEndpoint: false }
}

/** Runs `make` without the SDK's word about the versions of Node that it will leave behind. */
const withoutWarning = <A>(make: () => A): A => {
  const { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: before } = process.env
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = "true"
  try {
    return make()
  } finally {
    // Commands that are run later are not to see it.
    if (before === undefined) delete process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED
    else process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = before
  }
}

const Sent = Schema.Struct({ headers: Schema.Record({ key: Schema.String, value: Schema.String }) })
const isSent = Schema.is(Sent)

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  Predicate.hasProperty(value, Symbol.asyncIterator)

const Answer = Schema.Struct({
  statusCode: Schema.Int,
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  body: Schema.declare(isIterable)
})
const isAnswer = Schema.is(Answer)

/** What the request said about who sends it; an answer may repeat it. */
const secretsOf = (request: unknown) =>
  isSent(request)
    ? Headers.secrets(request.headers).flatMap((secret) => [
      secret,
      Redacted.make(Redacted.value(secret).replace(/^Bearer /, ""))
    ])
    : []

/** Rejects what is no stream of events. */
const accept = async (response: unknown, request: unknown): Promise<void> => {
  if (!isAnswer(response)) throw new TypeError("The SDK's handler gave no answer")
  const { body, headers, statusCode } = response
  if (statusCode === 200 && /\beventstream\b/.test(headers["content-type"] ?? "")) return
  throw new SdkFetch.HttpFailure({
    body: Redact.make(secretsOf(request))(await SdkFetch.beginning({ body })),
    headers,
    status: statusCode
  })
}

const load = async (options: Options) => {
  const [{ BedrockRuntimeClient, ConverseStreamCommand }, { NodeHttpHandler }] = await Promise.all([
    import("@aws-sdk/client-bedrock-runtime"),
    import("@smithy/node-http-handler")
  ])
  const { body, connect } = options.timeouts
  const client = withoutWarning(() =>
    new BedrockRuntimeClient({
      ...endpoint(options.baseUrl),
      ...identity(options.credentials),
      logger,
      maxAttempts: 1,
      region: options.region,
      requestHandler: new NodeHttpHandler({
        connectionTimeout: connect,
        logger,
        requestTimeout: 0,
        socketTimeout: body
      }),
      retryMode: "standard"
    })
  )
  const given = Headers.reveal(options.headers)
  client.middlewareStack.add(
    (next) => (args) => {
      if (isSent(args.request)) Object.assign(args.request.headers, given)
      return next(args)
    },
    { name: "givenHeaders", step: "build" }
  )
  return { client, ConverseStreamCommand }
}

export const make = (options: Options): Client => {
  let loaded: ReturnType<typeof load> | undefined
  return {
    send: async (input, abortSignal, onAnswer) => {
      const { client, ConverseStreamCommand } = await (loaded ??= load(options))
      const command = new ConverseStreamCommand(input)
      command.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args)
          onAnswer()
          await accept(result.response, args.request)
          return result
        },
        { name: "answer", priority: "low", step: "deserialize" }
      )
      const { stream } = await client.send(command, { abortSignal })
      if (stream === undefined) throw new TypeError("The SDK gave no stream")
      return stream
    }
  }
}
