/** Real tools on a real directory that is gone when the test ends. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Redaction from "@weir/model/Redaction"
import type { Tool } from "@weir/model/Tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CodingTools from "../src/CodingTools.js"

export const json = Schema.encodeSync(Schema.parseJson(Schema.Unknown))

export const make = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const parent = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "weir-tools-" }), fs.realPath)
  const cwd = path.join(parent, "project")
  const outputFile = path.join(parent, "outputs", "call.txt")
  yield* fs.makeDirectory(cwd)
  const tools = yield* CodingTools.make({ cwd })
  const reports: Array<string> = []

  const find = (name: string): Effect.Effect<Tool> =>
    Effect.fromNullable(tools.find((tool) => tool.spec.name === name)).pipe(
      Effect.orDieWith(() => `no tool ${name}`)
    )

  const raw = (name: string, args: string, outputTokens = 100_000, redaction = Redaction.none) =>
    Effect.flatMap(find(name), (tool) =>
      tool.run(args, {
        callId: "call",
        outputTokens,
        outputFile,
        redaction,
        report: (chunk) => Effect.sync(() => reports.push(chunk))
      }))

  const write = (file: string, content: string | Uint8Array) =>
    Effect.zipRight(
      fs.makeDirectory(path.dirname(path.join(cwd, file)), { recursive: true }),
      fs.writeFile(path.join(cwd, file), typeof content === "string" ? new TextEncoder().encode(content) : content)
    )

  return {
    cwd,
    fs,
    outputFile,
    parent,
    path,
    raw,
    reports,
    tools,
    call: (name: string, args: object, outputTokens?: number, redaction?: Redaction.Redaction) =>
      raw(name, json(args), outputTokens, redaction),
    /** With its byte order mark, if it has one. */
    content: (file: string) =>
      Effect.map(
        fs.readFile(path.join(cwd, file)),
        (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
      ),
    write
  }
})
