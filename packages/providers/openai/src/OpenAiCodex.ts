/**
 * The Codex backend of ChatGPT: the Responses API on a subscription, with rules of its own. Through the official SDK,
 * which is loaded at the first request.
 */
import type { Model, ModelCodec } from "@weir/model/Model"
import type { ModelError } from "@weir/model/ModelError"
import * as ErrorReading from "@weir/transport/ErrorReading"
import * as EventStream from "@weir/transport/EventStream"
import * as ReplyStream from "@weir/transport/ReplyStream"
import * as SdkFetch from "@weir/transport/SdkFetch"
import * as SdkModel from "@weir/transport/SdkModel"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Client from "./Client.js"
import * as CodexRequest from "./CodexRequest.js"
import * as ForeignReasoning from "./ForeignReasoning.js"
import { weights } from "./OpenAiResponses.js"
import type { Items } from "./ResponsesItems.js"
import * as ResponsesItems from "./ResponsesItems.js"
import type { Author } from "./ResponsesNative.js"
import * as ResponsesReply from "./ResponsesReply.js"

export const defaultBaseUrl = "https://chatgpt.com/backend-api/codex"

export interface CodexAccess {
  readonly accessToken: Redacted.Redacted
  readonly accountId: string
}

/** Where access comes from. Its errors are those of the request that needs it. */
export interface CodexCredentials {
  readonly current: Effect.Effect<CodexAccess, ModelError>
  /** Another access in place of one that the backend has refused. */
  readonly refresh: (refused: CodexAccess) => Effect.Effect<CodexAccess, ModelError>
}

/** `baseUrl` without `/responses`. No output limit is ever sent, since the backend takes none. */
export interface Options extends Omit<SdkModel.Options, "apiKey"> {
  readonly credentials: CodexCredentials
}

const unauthorized = 401

export const codec = (options: Options): ModelCodec<Items> => {
  const { baseUrl, credentials, headers, model } = options
  const author: Author = { codec: "openai-codex", model }
  const fetch = options.fetch ?? SdkFetch.make()
  const originOf = (...known: ReadonlyArray<CodexAccess>) =>
    SdkModel.origin(options, ...known.map(({ accessToken }) => accessToken))

  /** `onThrown` sees what made it fail. */
  const open = (
    items: Items,
    sessionId: string,
    { accessToken, accountId }: CodexAccess,
    origin: ErrorReading.Origin,
    onThrown: (error: unknown) => void
  ) =>
    EventStream.fromSdk({
      onError: (error, phase) => {
        onThrown(error)
        return Effect.flip(ErrorReading.readThrown(origin, baseUrl, error, phase))
      },
      open: (signal) =>
        import("openai").then(({ OpenAI }) => {
          const target = {
            apiKey: accessToken,
            baseUrl,
            headers: { ...headers, ...CodexRequest.headers(accountId, sessionId) }
          }
          return new OpenAI(Client.options(target, false, fetch)).responses.create(
            CodexRequest.make(items, { model, sessionId, thinking: options.thinking }),
            { signal }
          ).asResponse()
        })
    }).pipe(Effect.map((pull) => ({ origin, pull })))

  /** Access that was refused is refreshed once; what is refused then stays refused. */
  const opened = Effect.fnUntraced(function*(items: Items, sessionId: string, onThrown: (error: unknown) => void) {
    let isRefused = false
    const access = yield* credentials.current
    const first = (error: unknown) => {
      isRefused = ErrorReading.httpStatus(error) === unauthorized
      onThrown(error)
    }
    return yield* open(items, sessionId, access, originOf(access), first).pipe(
      Effect.catchAll((error) =>
        isRefused
          ? Effect.flatMap(
            credentials.refresh(access),
            (fresh) => open(items, sessionId, fresh, originOf(access, fresh), onThrown)
          )
          : Effect.fail(error)
      )
    )
  })
  const readable = ForeignReasoning.make()

  return {
    append: (items, entry) => ResponsesItems.append(items, entry, author),
    cachesPrompts: true,
    name: author.codec,
    start: (prompt) => ResponsesItems.start(prompt, author),
    open: (items, { sessionId }) =>
      Effect.flatMap(
        readable(items, (given, onThrown) => opened(given, sessionId, onThrown)),
        ({ origin, pull }) =>
          ReplyStream.events(origin, (seed) => ResponsesReply.reader(author, seed))(Effect.succeed(pull))
      ),
    weights
  }
}

export const make = (options: Options): Model["Type"] => SdkModel.make(options, options.baseUrl, codec(options))
