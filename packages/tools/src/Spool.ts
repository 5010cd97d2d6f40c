/** Collects output of any size in bounded memory: what is too much for a result goes to a file, whole. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Cut from "./Cut.js"
import * as PlainText from "./PlainText.js"
import type { Workspace } from "./Workspace.js"

/** Bytes of output that a result holds whole; of a longer one it holds the head and the tail. */
export const maxBytes = 64_000
const headBytes = 16_000
const tailBytes = maxBytes - headBytes

export interface Collected {
  readonly text: string
  /** The file with the whole output, when `text` is only a part of it. */
  readonly savedTo?: string
}

export interface Spool {
  readonly append: (text: string) => Effect.Effect<void>
  readonly collect: Effect.Effect<Collected>
}

const upToLastLine = (text: string) => text.slice(0, text.lastIndexOf("\n") + 1) || `${text}\n`
const fromFirstLine = (text: string) => text.slice(text.indexOf("\n") + 1)

/** `file` is made, readable by its owner alone, when the output outgrows a result. */
export const make = Effect.fnUntraced(
  function*({ fs, path }: Workspace, file: string): Effect.fn.Return<Spool, never, Scope.Scope> {
    const scope = yield* Effect.scope
    const encoder = new TextEncoder()
    let bytes = 0
    let outgrown = false
    /** Both together are all of the output until it has outgrown a result. */
    let head = ""
    let tail = ""
    let saving = Option.none<FileSystem.File>()

    const open = fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 }).pipe(
      Effect.zipRight(Scope.extend(fs.open(file, { flag: "w", mode: 0o600 }), scope)),
      Effect.option
    )

    const save = (text: string) =>
      Option.isNone(saving) ?
        Effect.void :
        Effect.catchAll(saving.value.writeAll(encoder.encode(text)), () =>
          Effect.sync(() => {
            saving = Option.none()
          }))

    const outgrow = Effect.gen(function*() {
      outgrown = true
      saving = yield* open
      yield* save(tail)
      head = Cut.head(tail, headBytes)
      tail = tail.slice(head.length)
    })

    const append = Effect.fnUntraced(function*(text: string) {
      bytes += Cut.byteLength(text)
      tail += text
      if (outgrown) yield* save(text)
      else if (bytes > maxBytes) yield* outgrow
      if (tail.length > 2 * maxBytes) tail = Cut.tail(tail, tailBytes)
    })

    const collect = Effect.sync((): Collected => {
      if (!outgrown) return { text: PlainText.settled(tail) }
      const first = upToLastLine(head)
      const last = fromFirstLine(Cut.tail(tail, tailBytes))
      const left = bytes - Cut.byteLength(first) - Cut.byteLength(last)
      const whole = Option.isSome(saving) ? `the whole output is in ${file}` : "the whole output could not be saved"
      return {
        text: `${PlainText.settled(first)}[... ${left} bytes left out; ${whole} ...]\n${PlainText.settled(last)}`,
        ...(Option.isSome(saving) && { savedTo: file })
      }
    })

    return { append, collect }
  }
)
