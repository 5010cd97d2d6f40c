/** Which calls `--allow` lets run unasked and `--deny` keeps from running, whatever the permission mode. */
import type * as Path from "@effect/platform/Path"
import { Answer, type Rule } from "@weir/agent/Permission"
import type { ToolCall } from "@weir/model/Conversation"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

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

const matches = (wanted: string, text: string): boolean =>
  new RegExp(`^${wanted.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&")).join("[^]*")}$`).test(
    text
  )

/** Where one command ends and another begins, or runs inside it. */
const seams = /[;&|\n()`{}]+|\$\(/

/** What a pattern is compared with: a command, or a path as it lies below the working directory. */
interface Subject {
  readonly text: string
  /** The same as it is written by a pattern that begins so: a path also with `./` before it, or absolute. */
  readonly spelling: (wanted: string) => string
  /** Commands that a longer one is made of. */
  readonly parts: ReadonlyArray<string>
  /** Nothing that a shell would do besides. */
  readonly isPlain: boolean
}

const subject = ({ arguments: json }: ToolCall, cwd: string, path: Path.Path): Subject | undefined =>
  Either.match(Schema.decodeEither(Arguments)(json), {
    onLeft: () => undefined,
    onRight: ({ command, path: given }) => {
      if (typeof command === "string") {
        const text = command.trim()
        const parts = text.split(seams).map((part) => part.trim())
        return { isPlain: parts.length === 1 && !/[<>]/.test(command), parts, spelling: () => text, text }
      }
      const absolute = path.resolve(cwd, given ?? ".")
      const relative = path.relative(cwd, absolute)
      const isOutside = relative === ".." || relative.startsWith(`..${path.sep}`)
      const text = isOutside ? absolute : relative || "."
      const spelling = (wanted: string) =>
        path.isAbsolute(wanted) ? absolute : wanted.startsWith("./") && !isOutside ? `./${relative}` : text
      return { isPlain: true, parts: [], spelling, text }
    }
  })

/**
 * A command of several parts, or one that writes files by redirection, is allowed by its every letter alone; any of its
 * parts can deny it. That guards against mistakes: whoever wants to get round a denial finds another way to say it.
 */
export const rule = (
  { allow, deny }: { readonly allow: ReadonlyArray<string>; readonly deny: ReadonlyArray<string> },
  cwd: string,
  path: Path.Path
): Rule =>
(call) => {
  const found = subject(call, cwd, path)
  const applies = (holds: (wanted: string, found: Subject) => boolean) => (text: string) => {
    const [, tool, wanted] = pattern.exec(text) ?? []
    return tool === call.name && (wanted === undefined || (found !== undefined && holds(wanted, found)))
  }
  const denied = deny.find(
    applies((wanted, { parts, spelling }) => [spelling(wanted), ...parts].some((one) => matches(wanted, one)))
  )
  if (denied !== undefined) return Option.some(Answer.Denied({ because: `There is a rule against ${denied}.` }))
  const allowed = allow.some(
    applies((wanted, { isPlain, spelling, text }) => wanted === text || (isPlain && matches(wanted, spelling(wanted))))
  )
  return allowed ? Option.some(Answer.Allowed()) : Option.none()
}
