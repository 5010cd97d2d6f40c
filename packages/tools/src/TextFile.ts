/** Files of text: telling them from binary files, and changing them without touching how they are stored. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Cut from "./Cut.js"
import { fromPlatform, ToolError } from "./ToolError.js"
import type { Workspace } from "./Workspace.js"

const signatures: ReadonlyArray<readonly [kind: string, bytes: ReadonlyArray<number>]> = [
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["a JPEG image", [0xff, 0xd8, 0xff]],
  ["a GIF image", [0x47, 0x49, 0x46, 0x38]],
  ["a RIFF file (WebP, WAV or AVI)", [0x52, 0x49, 0x46, 0x46]],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46]],
  ["a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
  ["a gzip file", [0x1f, 0x8b]],
  ["an ELF binary", [0x7f, 0x45, 0x4c, 0x46]],
  ["a WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
  ["UTF-16 text", [0xff, 0xfe]],
  ["UTF-16 text", [0xfe, 0xff]]
]

const sniffed = 8192

/** What a file is when it is not text in UTF-8 or a kin of ASCII, judged by its first bytes. */
export const binaryKind = (start: Uint8Array): Option.Option<string> => {
  const known = signatures.find(([, bytes]) => bytes.every((byte, index) => start[index] === byte))
  if (known) return Option.some(known[0])
  return start.subarray(0, sniffed).includes(0) ? Option.some("a binary file") : Option.none()
}

export const binaryAdvice = (shown: string, kind: string): ToolError =>
  new ToolError({
    message: kind === "UTF-16 text"
      ? `${shown} is UTF-16 text. Convert it with bash, for example iconv -f UTF-16 -t UTF-8.`
      : `${shown} is ${kind}, not text. Look at it with bash, for example with file or xxd | head.`
  })

/** An absolute path with all its symbolic links followed, so that a link is written through, not replaced. */
const followed = (workspace: Workspace, file: string) => Effect.orElseSucceed(workspace.fs.realPath(file), () => file)

const temporaryName = Effect.map(Random.nextIntBetween(0, 36 ** 8), (n) => `.weir-${n.toString(36)}.tmp`)

/** Puts `bytes` in place of a file's content at once: a reader sees the old or the new, and its mode is kept. */
export const replace = Effect.fnUntraced(function*(workspace: Workspace, file: string, bytes: Uint8Array) {
  const { fs, path } = workspace
  const shown = workspace.show(file)
  const target = yield* followed(workspace, file)
  const before = yield* Effect.option(fs.stat(target))
  if (Option.isSome(before)) {
    if (before.value.type !== "File") return yield* new ToolError({ message: `${shown} is not a regular file.` })
    yield* Effect.mapError(fs.access(target, { writable: true }), fromPlatform(`write ${shown}`))
  }
  const temporary = path.join(path.dirname(target), yield* temporaryName)
  yield* fs.writeFile(temporary, bytes, { flag: "wx" }).pipe(
    Effect.zipRight(Option.isSome(before) ? fs.chmod(temporary, before.value.mode & 0o7777) : Effect.void),
    Effect.zipRight(fs.rename(temporary, target)),
    Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
    Effect.mapError(fromPlatform(`write ${shown}`))
  )
})

export interface TextFile {
  /** Without the byte order mark. */
  readonly text: string
  readonly bom: boolean
}

const bom = "\uFEFF"
const exactly = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The whole text of a file, when writing it back would give the same bytes. */
export const decode = Option.liftThrowable((bytes: Uint8Array): TextFile => {
  const text = exactly.decode(bytes)
  return text.startsWith(bom) ? { bom: true, text: text.slice(1) } : { bom: false, text }
})

export const encode = (file: TextFile): Uint8Array => new TextEncoder().encode((file.bom ? bom : "") + file.text)

/** Lines of a text; a last line break ends a line and begins none. */
export const lineCount = (text: string): number =>
  text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0)

const mega = 1_000_000

/** A size in bytes, as people write it. */
export const showSize = (bytes: bigint | number): string => {
  const size = Number(bytes)
  return size >= mega ? `${(size / mega).toFixed(1)} MB` : `${size} bytes`
}

/** For example `12 lines, 345 bytes`. */
export const measure = (text: string): string => {
  const lines = lineCount(text)
  return `${lines} ${lines === 1 ? "line" : "lines"}, ${Cut.byteLength(text)} bytes`
}
