/** The user's message out of the words of the command line, standard input, and the files they mention. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { Image } from "@weir/model/Conversation"
import { userMessage } from "@weir/model/Conversation"
import * as Refusal from "@weir/model/Refusal"
import * as TextFile from "@weir/tools/TextFile"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import { Host } from "./Host.js"
import { UsageError } from "./UsageError.js"

const strictly = Option.liftThrowable((bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes))

/** Of a text in an old encoding, or cut within a character, most is still of use; of other data hardly anything. */
const leniently = (bytes: Uint8Array): Option.Option<string> => {
  const text = new TextDecoder().decode(bytes)
  const damaged = text.split("\uFFFD").length - 1
  return damaged * 3 > text.length || Option.isSome(TextFile.binaryKind(bytes)) ? Option.none() : Option.some(text)
}

/** Text, unless the bytes are none. */
const decode = (bytes: Uint8Array): Option.Option<string> =>
  bytes.includes(0) ? Option.none() : Option.orElse(strictly(bytes), () => leniently(bytes))

const waitingMessage = "weir: reading standard input until it ends (close it with </dev/null if there is none)\n"

/** What standard input holds; nothing when it is a terminal. Line breaks at its end are dropped. */
const readStdin = Effect.gen(function*() {
  const { stderr, stdin } = yield* Host
  if (stdin.isTerminal) return ""
  yield* Effect.forkScoped(Effect.delay(stderr.write(waitingMessage), "3 seconds"))
  const bytes = yield* stdin.read
  const text = decode(bytes)
  if (Option.isSome(text)) return text.value.replace(/[\r\n]+$/, "")
  return yield* new UsageError({
    message: "Standard input is binary. Pipe text, or name the file in the prompt and let the agent look at it."
  })
}).pipe(Effect.scoped)

interface Attachment {
  readonly text: string
  readonly images: ReadonlyArray<Image>
}

/** The most that one mentioned file may hold, in bytes. */
const textLimit = 262_144

/** The same for an image: what providers take of one, in bytes. */
const imageLimit = 3_750_000

/** How files of a kind begin: bytes as Latin-1. */
const imageTypes: ReadonlyArray<readonly [beginning: RegExp, mediaType: string]> = [
  [/^\x89PNG/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8/, "image/gif"],
  [/^RIFF[^]{4}WEBP/, "image/webp"]
]

/** Read from the content: an image that is none would be refused with every later request. */
const imageType = (bytes: Uint8Array): string | undefined => {
  const beginning = String.fromCharCode(...bytes.subarray(0, 12))
  return imageTypes.find(([pattern]) => pattern.test(beginning))?.[1]
}

const tooLarge = (mention: string, size: number, limit: number) =>
  new UsageError({
    message: `@${mention} holds ${size} bytes; at most ${limit} can be attached. ` +
      "Leave out the @ and let the agent read the parts it needs."
  })

const attach = Effect.fnUntraced(function*(mention: string, file: string) {
  const fs = yield* FileSystem.FileSystem
  const size = Number((yield* fs.stat(file)).size)
  if (size > imageLimit) return yield* tooLarge(mention, size, textLimit)
  const bytes = yield* fs.readFile(file)
  const mediaType = imageType(bytes)
  if (mediaType !== undefined) {
    return { images: [{ data: Encoding.encodeBase64(bytes), mediaType }], text: "" } satisfies Attachment
  }
  if (size > textLimit) return yield* tooLarge(mention, size, textLimit)
  const text = decode(bytes)
  if (Option.isNone(text)) {
    return yield* new UsageError({ message: `@${mention} is a binary file and cannot be attached.` })
  }
  return { images: [], text: `<file path="${mention}">\n${text.value}\n</file>` } satisfies Attachment
})

/** The paths that a mention may mean: all of it, or without the punctuation that ends a sentence, or up to another. */
const candidates = (word: string): ReadonlyArray<string> =>
  [word, word.replace(/@.*$/, "")]
    .flatMap((one) => [one, one.replace(/[.,;:!?)\]}'"]+$/, "")])
    .filter((one) => one !== "")

/** The file that a mention means. */
const resolve = Effect.fnUntraced(function*(cwd: string, words: ReadonlyArray<string>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* Effect.findFirst(
    words,
    (mention) =>
      fs.stat(path.resolve(cwd, mention)).pipe(
        Effect.map((info) => info.type === "File"),
        Effect.orElseSucceed(() => false)
      )
  )
})

const unreadable = (mention: string) => (error: Refusal.Refusal) =>
  new UsageError({
    message: `@${mention} cannot be read: ${Refusal.words(error)}. Check its permissions, or leave out the @.`
  })

/** A path, or between quotes one with spaces. */
const mention = /(?<=^|[\s(])@(?:"([^"\n]+)"|(\S+))/g

/** The files that a text mentions as `@path` or `@"a path"`. What names no file stays text. */
const attachments = Effect.fnUntraced(function*(cwd: string, text: string) {
  const path = yield* Path.Path
  const found = yield* Effect.forEach(
    [...text.matchAll(mention)],
    ([, quoted, word = ""]) => resolve(cwd, quoted === undefined ? candidates(word) : [quoted])
  )
  const mentions = new Set(found.flatMap(Option.toArray))
  return yield* Effect.forEach(mentions, (mention) =>
    attach(mention, path.resolve(cwd, mention)).pipe(
      Effect.catchTags({ BadArgument: unreadable(mention), SystemError: unreadable(mention) })
    ))
})

const message = (texts: ReadonlyArray<string>, files: ReadonlyArray<Attachment>) =>
  userMessage(
    [...texts, ...files.map(({ text }) => text)].filter((part) => part.trim() !== "").join("\n\n"),
    files.flatMap(({ images }) => images)
  )

/** A text and the files that it mentions. */
export const typed = ({ cwd, text }: { readonly text: string; readonly cwd: string }) =>
  Effect.map(attachments(cwd, text), (files) => message([text], files))

/** What was typed of a message, without the files that it mentions. */
export const words = (text: string): string => {
  const files = [...text.matchAll(/\n\n<file path="([^"\n]+)">\n/g)]
  const first = files.find(({ 1: mention = "", index }) => {
    const before = text.slice(0, index)
    return before.includes(`@${mention}`) || before.includes(`@"${mention}"`)
  })
  return first === undefined || !text.endsWith("\n</file>") ? text : text.slice(0, first.index)
}

/** The words, a blank line, standard input, then the mentioned files. */
export const read = Effect.fnUntraced(function*(options: {
  readonly words: ReadonlyArray<string>
  readonly cwd: string
}) {
  const words = options.words.join(" ")
  const files = yield* attachments(options.cwd, words)
  const stdin = yield* readStdin
  if (words.trim() === "" && stdin.trim() === "") {
    return yield* new UsageError({
      message: "The prompt is empty. Give it as an argument or on standard input: weir run \"your question\""
    })
  }
  return message([words, stdin], files)
})
