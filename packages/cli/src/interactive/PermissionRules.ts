/** Which calls the user has allowed for good: those of this session in memory, those of a project in a file. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { ToolCall } from "@weir/model/Conversation"
import * as Redaction from "@weir/model/Redaction"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import { KnownSecrets } from "../KnownSecrets.js"

const Arguments = Schema.parseJson(Schema.Struct({ command: Schema.String }))

/** Nothing that a shell would read as more than words. */
const isPlain = (command: string) => /^[\w ./:=@,+-]+$/.test(command)

/** Programs whose second word is no subcommand, and says nothing of what follows it: they run others, or change files. */
const wordless = new Set(
  ("bash builtin busybox bunx chroot command dash doas docker env eval exec find fish flock ionice ksh nice nohup npx " +
    "nsenter parallel setsid sh ssh stdbuf strace sudo time timeout unshare watch xargs zsh " +
    "chgrp chmod chown cp dd install kill killall ln mkfs mv pkill rm rmdir rsync scp sed shred tee truncate unlink")
    .split(" ")
)

/** A plain command is known by its program and subcommand, any other by every letter. */
const known = (command: string): string => {
  const [program = "", second = "-"] = command.trim().split(/ +/)
  const name = program.slice(program.lastIndexOf("/") + 1)
  return !isPlain(command) || program.includes("=") || second.startsWith("-") || wordless.has(name)
    ? command.trim()
    : `${program} ${second}`
}

/** Calls with the same rule are alike. */
export const ruleOf = ({ arguments: json, name }: ToolCall): string =>
  Either.match(Schema.decodeEither(Arguments)(json), {
    onLeft: () => name,
    onRight: ({ command }) => `${name}(${known(command)})`
  })

export interface PermissionRules {
  readonly allows: (call: ToolCall) => Effect.Effect<boolean>
  readonly forSession: (call: ToolCall) => Effect.Effect<void>
  /** Fails silently to a rule of this session where the file cannot be written. */
  readonly forProject: (call: ToolCall) => Effect.Effect<void>
  readonly all: Effect.Effect<ReadonlyArray<string>>
  readonly forget: (rule: string) => Effect.Effect<void>
  readonly ofSession: Ref.Ref<ReadonlySet<string>>
}

/** Rules by the project's directory. */
const File = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) }), { space: 2 })

export const make = Effect.fnUntraced(function*(options: {
  readonly file: string
  readonly project: string
  /** Those of this session, where it is opened again. */
  readonly ofSession?: Ref.Ref<ReadonlySet<string>>
}) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { file, project } = options
  const { clear } = Redaction.of(yield* KnownSecrets)
  const rule = (call: ToolCall) => clear(ruleOf(call))
  const read = fs.readFileString(file).pipe(Effect.flatMap(Schema.decode(File)), Effect.orElseSucceed(() => ({})))
  const stored = Effect.map(read, (rules: Schema.Schema.Type<typeof File>) => rules[project] ?? [])
  const change = Effect.fnUntraced(function*(f: (rules: ReadonlyArray<string>) => ReadonlyArray<string>) {
    const rules: Schema.Schema.Type<typeof File> = yield* read
    const text = yield* Schema.encode(File)({ ...rules, [project]: f(rules[project] ?? []) })
    yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
    yield* fs.writeFileString(file, `${text}\n`, { mode: 0o600 })
  }, Effect.option)

  const session = options.ofSession ?? (yield* Ref.make<ReadonlySet<string>>(new Set()))
  const forSession = (call: ToolCall) => Ref.update(session, (rules) => new Set([...rules, rule(call)]))
  const all = Effect.zipWith(Ref.get(session), stored, (own, kept) => [...new Set([...own, ...kept])])
  return {
    all,
    allows: (call) => Effect.map(all, (rules) => rules.includes(rule(call))),
    forProject: (call) =>
      Effect.flatMap(
        change((rules) => [...new Set([...rules, rule(call)])]),
        Option.match({ onNone: () => forSession(call), onSome: () => Effect.void })
      ),
    forSession,
    forget: (forgotten) =>
      Effect.zipRight(
        Ref.update(session, (rules) => new Set([...rules].filter((other) => other !== forgotten))),
        Effect.asVoid(change((rules) => rules.filter((other) => other !== forgotten)))
      ),
    ofSession: session
  } satisfies PermissionRules
})
