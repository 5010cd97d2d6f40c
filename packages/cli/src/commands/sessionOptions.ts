/** What can be said about a session when it is opened, by whichever command. */
import type * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { PermissionMode } from "@weir/agent/Permission"
import { Thinking } from "@weir/model/Thinking"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address } from "../Address.js"
import * as Headers from "../Headers.js"
import { checked, given } from "../SettingOption.js"
import * as Settings from "../Settings.js"
import { ToolRule } from "../ToolRules.js"
import { UsageError } from "../UsageError.js"

const rules = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName("TOOL[(pattern)]"),
    Options.withDescription(description),
    Options.repeated,
    checked(Schema.Array(ToolRule))
  )

export const sessionOptions = {
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
    Options.withDescription("What tools may do (ask)."),
    given((permissionMode) => ({ permissionMode }))
  ),
  allow: rules("allow", "Let a tool run unasked: edit_file, or bash(npm test *). May be given again."),
  deny: rules("deny", "Keep a tool from running, whatever else allows it: bash(git push*). May be given again."),
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
  )
}

type Given = Command.Command.ParseConfig<typeof sessionOptions>

/** The settings that were given. */
export const flagsOf = Effect.fnUntraced(function*(given: Given) {
  const headers = given.header.length === 0
    ? {}
    : { headers: yield* Headers.parse(given.header, (message) => new UsageError({ message: `--header: ${message}` })) }
  return {
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
    ...(given.allow.length > 0 && { allow: given.allow }),
    ...(given.deny.length > 0 && { deny: given.deny }),
    ...given.appendSystemPrompt
  } satisfies Settings.Settings
})
