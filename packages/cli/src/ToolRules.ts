/** Which calls `--allow` lets run unasked and `--deny` keeps from running, whatever the permission mode. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Answer, type Rule } from "@weir/agent/Permission"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CommandParts from "./CommandParts.js"
import * as PathPattern from "./PathPattern.js"

export const tools = ["read_file", "write_file", "edit_file", "bash", "grep", "glob"] as const

const pattern = new RegExp(`^(${tools.join("|")})(?:\\(([^]+)\\))?$`)

/** `bash`, `bash(npm test *)`, `edit_file(docs/*)`: in a pattern `*` stands for anything. */
export const ToolRule = Schema.String.pipe(
  Schema.pattern(pattern, { message: () => `Expected TOOL or TOOL(pattern), the tool one of ${tools.join(", ")}` })
)

const Arguments = Schema.parseJson(Schema.Struct({
  command: Schema.optional(Schema.NullOr(Schema.String)),
  path: Schema.optional(Schema.NullOr(Schema.String))
}))

/** The tools that a denied path is kept from: what one may not show or change, no other may. */
const kept: { readonly [tool: string]: ReadonlyArray<string> } = {
  edit_file: ["edit_file", "write_file"],
  read_file: ["read_file", "grep", "edit_file"],
  write_file: ["write_file", "edit_file"]
}

interface Parsed {
  readonly text: string
  readonly tool: string
  /** None: the whole tool. */
  readonly wanted: string | undefined
}

const parse = (rules: ReadonlyArray<string>): ReadonlyArray<Parsed> =>
  rules.map((text) => {
    const [, tool = "", wanted] = pattern.exec(text) ?? []
    return { text, tool, wanted }
  })

/** How a call stands to the patterns of its tool. */
interface Subject {
  readonly isAllowed: (wanted: string) => boolean
  readonly isDenied: (rule: Parsed, wanted: string) => boolean
}

const ofCommand = (command: string): Subject => {
  const text = command.trim()
  const parts = [text, ...CommandParts.of(command)]
  const isPlain = CommandParts.isPlain(command)
  const matches = (wanted: string, one: string) => new RegExp(`^${PathPattern.anything(wanted)}$`).test(one)
  return {
    isAllowed: (wanted) => wanted === text || (isPlain && matches(wanted, text)),
    isDenied: (_, wanted) => parts.some((part) => matches(wanted, part))
  }
}

export interface ToolRules {
  readonly rule: Rule
  /** Whether what an absolute path holds is kept from being read. */
  readonly hides: (absolute: string) => boolean
}

/**
 * A command of several parts, or one that writes files by redirection, is allowed by its every letter alone; any of its
 * parts can deny it. A path is allowed where it lies and where its links lead; either can deny it. That guards against
 * mistakes: whoever wants to get round a denial finds another way to say it.
 */
export const make = Effect.fnUntraced(function*(
  options: { readonly allow: ReadonlyArray<string>; readonly deny: ReadonlyArray<string>; readonly cwd: string }
): Effect.fn.Return<ToolRules, never, FileSystem.FileSystem | Path.Path> {
  const home = yield* Effect.option(Config.nonEmptyString("HOME"))
  const paths = PathPattern.make({
    cwd: options.cwd,
    fs: yield* FileSystem.FileSystem,
    home: Option.getOrUndefined(home),
    path: yield* Path.Path
  })
  const allow = parse(options.allow)
  const deny = parse(options.deny)

  const ofPath = (given: string) =>
    Effect.map(paths.names(given), (names): Subject => ({
      isAllowed: (wanted) =>
        names.slice(0, 1).some((name) => wanted === paths.show(name)) ||
        names.every((name) => paths.matches(wanted, name, false)),
      // What a search of the whole working directory finds is sifted instead.
      isDenied: ({ tool }, wanted) =>
        names.some((name) =>
          !(kept[tool] !== undefined && paths.show(name) === ".") && paths.matches(wanted, name, true)
        )
    }))

  const rule: Rule = Effect.fnUntraced(function*({ arguments: json, name }) {
    if (allow.length + deny.length === 0) return Option.none()
    const read = Schema.decodeEither(Arguments)(json)
    const subject: Subject | undefined = Either.isLeft(read)
      ? undefined
      : typeof read.right.command === "string"
      ? ofCommand(read.right.command)
      : yield* ofPath(read.right.path ?? ".")
    const denied = deny.find((one) =>
      one.wanted === undefined
        ? one.tool === name
        : (kept[one.tool] ?? [one.tool]).includes(name) && subject?.isDenied(one, one.wanted) === true
    )
    if (denied !== undefined) return Option.some(Answer.Denied({ because: `There is a rule against ${denied.text}.` }))
    const isAllowed = allow.some(({ tool, wanted }) =>
      tool === name && (wanted === undefined || subject?.isAllowed(wanted) === true)
    )
    return isAllowed ? Option.some(Answer.Allowed()) : Option.none()
  })

  const unread = deny.flatMap(({ tool, wanted }) => tool === "read_file" && wanted !== undefined ? [wanted] : [])
  return { hides: (absolute) => unread.some((wanted) => paths.matches(wanted, absolute, true)), rule }
})
