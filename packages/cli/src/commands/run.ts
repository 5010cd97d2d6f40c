/** `weir run`: one turn without a screen. This file says what can be asked; `RunTurn.ts` does it. */
import * as Args from "@effect/cli/Args"
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { PermissionMode } from "@weir/agent/Permission"
import { Thinking } from "@weir/model/Thinking"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../Address.js"
import * as Argv from "../Argv.js"
import * as Headers from "../Headers.js"
import { checked, given } from "../SettingOption.js"
import * as Settings from "../Settings.js"
import { UsageError } from "../UsageError.js"

const options = {
  provider: Options.choice("provider", Settings.ProviderName.literals).pipe(
    Options.withDescription("Whose API to speak; openai-compatible is Chat Completions, wherever it is served."),
    given((provider) => ({ provider }))
  ),
  model: Options.text("model").pipe(
    Options.withPseudoName("ID"),
    checked(Schema.NonEmptyString),
    Options.withDescription("The model's name at the provider."),
    given((model) => ({ model }))
  ),
  baseUrl: Options.text("base-url").pipe(
    Options.withPseudoName("URL"),
    checked(Address),
    Options.withDescription("The API's address, with its version: http://localhost:8080/v1"),
    given((baseUrl) => ({ baseUrl }))
  ),
  apiKeyEnv: Options.text("api-key-env").pipe(
    Options.withPseudoName("NAME"),
    checked(Settings.VariableName),
    Options.withDescription("The environment variable that holds the key (never the key itself)."),
    given((apiKeyEnv) => ({ apiKeyEnv }))
  ),
  header: Options.text("header").pipe(
    Options.withPseudoName("K=V"),
    Options.withDescription("A header for every request."),
    Options.repeated
  ),
  contextWindow: Options.integer("context-window").pipe(
    Options.withPseudoName("N"),
    checked(Settings.Tokens),
    Options.withDescription("The model's context window, in tokens."),
    given((contextWindow) => ({ contextWindow }))
  ),
  maxOutputTokens: Options.integer("max-output-tokens").pipe(
    Options.withPseudoName("N"),
    checked(Settings.Tokens),
    Options.withDescription("The most that one reply may hold, in tokens."),
    given((maxOutputTokens) => ({ maxOutputTokens }))
  ),
  thinking: Options.choice("thinking", Thinking.literals).pipe(
    Options.withDescription("How much the model reasons before it answers; the provider's default when left out."),
    given((thinking) => ({ thinking }))
  ),
  session: Options.text("session").pipe(
    Options.withPseudoName("ID"),
    checked(Schema.NonEmptyString),
    Options.withDescription("Go on with a session; the beginning of its id is enough."),
    Options.optional
  ),
  continue: Options.boolean("continue").pipe(
    Options.withDescription("Go on with the newest session of this directory.")
  ),
  maxSteps: Options.integer("max-steps").pipe(
    Options.withPseudoName("N"),
    checked(Settings.Steps),
    Options.withDescription("Stop after this many model replies (1000)."),
    given((maxSteps) => ({ maxSteps }))
  ),
  idleTimeout: Options.integer("idle-timeout").pipe(
    Options.withPseudoName("SECONDS"),
    checked(Settings.Seconds),
    Options.withDescription("Ask the model again when nothing arrives for this long (300); 0 waits for ever."),
    given((idleTimeout) => ({ idleTimeout }))
  ),
  autoCompact: Options.choice("auto-compact", Settings.Switch.literals).pipe(
    Options.withDescription("Whether the context is compacted automatically (on)."),
    given((autoCompact) => ({ autoCompact }))
  ),
  compactionRequest: Options.choice("compaction-request", Settings.CompactionRequest.literals).pipe(
    Options.withDescription("How a summary is asked for (auto)."),
    given((compactionRequest) => ({ compactionRequest }))
  ),
  permissionMode: Options.choice("permission-mode", PermissionMode.literals).pipe(
    Options.withDescription("What tools may do (ask). Without a screen nobody can be asked: ask only reads."),
    given((permissionMode) => ({ permissionMode }))
  ),
  outputFormat: Options.choice("output-format", ["text", "json", "stream-json"]).pipe(
    Options.withDescription("What standard output holds: the answer, one object at the end, or an event a line."),
    Options.withDefault("text")
  ),
  cwd: Options.text("cwd").pipe(
    Options.withPseudoName("DIR"),
    checked(Schema.NonEmptyString),
    Options.withDescription("The directory to work in."),
    Options.optional
  ),
  appendSystemPrompt: Options.text("append-system-prompt").pipe(
    Options.withPseudoName("TEXT"),
    Options.withDescription("Further instructions for the agent."),
    given((appendSystemPrompt) => ({ appendSystemPrompt }))
  ),
  noSession: Options.boolean("no-session").pipe(
    Options.withDescription("Store nothing.")
  ),
  verbose: Options.boolean("verbose").pipe(
    Options.withDescription("Show tools, retries and compactions on standard error.")
  )
}

const prompt = Args.text({ name: "prompt" }).pipe(
  Args.withDescription("Joined by spaces; @path attaches a file. Standard input is added to it."),
  Args.repeated,
  Args.map((words) => words.map(Argv.unmark))
)

export const config = { ...options, prompt }

export const optionTable = Argv.optionTable(Object.values(options))

/** Which session goes on; no two of these options make sense together. */
const resume = (
  given: { readonly continue: boolean; readonly noSession: boolean; readonly session: Option.Option<string> }
) => {
  const chosen = [
    ...(Option.isSome(given.session) ? ["--session"] : []),
    ...(given.continue ? ["--continue"] : []),
    ...(given.noSession ? ["--no-session"] : [])
  ]
  if (chosen.length > 1) return new UsageError({ message: `Give only one of ${chosen.join(" and ")}.` })
  return Effect.succeed(given.continue ? "latest" as const : given.session)
}

/** Loads the agent on first use, so that help and completions do not wait for it. */
export const handler = (given: Command.Command.ParseConfig<typeof config>) =>
  Effect.gen(function*() {
    const { runTurn } = yield* Effect.promise(() => import("../RunTurn.js"))
    const headers = given.header.length === 0
      ? {}
      : {
        headers: yield* Headers.parse(given.header, (message) => new UsageError({ message: `--header: ${message}` }))
      }
    return yield* runTurn({
      cwd: given.cwd,
      flags: {
        ...given.provider,
        ...given.model,
        ...given.baseUrl,
        ...given.apiKeyEnv,
        ...headers,
        ...given.contextWindow,
        ...given.maxOutputTokens,
        ...given.thinking,
        ...given.maxSteps,
        ...given.idleTimeout,
        ...given.autoCompact,
        ...given.compactionRequest,
        ...given.permissionMode,
        ...given.appendSystemPrompt
      },
      format: given.outputFormat,
      resume: yield* resume(given),
      store: !given.noSession,
      verbose: given.verbose,
      words: given.prompt
    })
  })
