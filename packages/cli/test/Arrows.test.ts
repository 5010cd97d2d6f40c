/** The arrows between packages, and what no source file may import. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const root = decodeURIComponent(new URL("../../..", import.meta.url).pathname)

/** Which packages each package may use; nothing else of the workspace. */
const arrows: { readonly [directory: string]: ReadonlyArray<string> } = {
  "model": [],
  "compaction": ["model"],
  "session": ["model", "compaction"],
  "agent": ["model", "compaction", "session"],
  "providers/transport": ["model"],
  "providers/offline": ["model"],
  "providers/openai": ["model", "transport"],
  "providers/anthropic": ["model", "transport"],
  "providers/google": ["model", "transport"],
  "providers/bedrock": ["model", "transport"],
  "catalogue": [],
  "tools": ["model"],
  "tui": [],
  "simulator": ["model"],
  "cli": [
    ...["model", "compaction", "session", "agent", "tools", "tui", "simulator", "catalogue", "transport"],
    ...["offline", "openai", "anthropic", "google", "bedrock"]
  ],
  "bench": ["model", "compaction", "session", "agent", "offline", "openai", "tools", "simulator"]
}

/** The source files that may touch Node itself. */
const nodeFiles = new Set([
  "cli/src/bin.ts",
  "cli/src/LoginCallback.ts",
  "providers/transport/src/SdkFetch.ts",
  "session/src/ThisProcess.ts",
  "simulator/src/Sockets.ts"
])

/** Libraries that a start-up must not load whole. */
const barrels = new Set(["effect", "@effect/cli", "@effect/platform", "@effect/platform-node", "@effect/ai"])

const Manifest = Schema.parseJson(Schema.Struct({
  name: Schema.String,
  dependencies: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
}))

/** Module names of a source text: imports, exports from, and imports on first use. */
const importsOf = (text: string): ReadonlyArray<string> => [
  ...[...text.matchAll(/^\s*(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"/gm)].flatMap(([, name]) => name ?? []),
  ...[...text.matchAll(/^\s*import\s+"([^"]+)"/gm)].flatMap(([, name]) => name ?? []),
  ...[...text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].flatMap(([, name]) => name ?? [])
]

interface Package {
  readonly directory: string
  readonly name: string
  readonly dependencies: ReadonlyArray<string>
  readonly sources: ReadonlyArray<{ readonly file: string; readonly text: string }>
}

const readPackages = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const at = `${root}packages/`
  const named = (yield* fs.readDirectory(at)).filter((name) => name !== "providers")
  const providers = (yield* fs.readDirectory(`${at}providers`)).map((name) => `providers/${name}`)
  return yield* Effect.forEach([...named, ...providers], (directory) =>
    Effect.gen(function*() {
      const manifest = yield* fs.readFileString(`${at}${directory}/package.json`)
      const { dependencies = {}, name } = yield* Schema.decode(Manifest)(manifest)
      const files = yield* Effect.orElseSucceed(
        fs.readDirectory(`${at}${directory}/src`, { recursive: true }),
        () => []
      )
      const sources = yield* Effect.forEach(files.filter((file) => file.endsWith(".ts")), (file) =>
        Effect.map(
          fs.readFileString(`${at}${directory}/src/${file}`),
          (text) => ({ file: `${directory}/src/${file}`, text })
        ))
      const own: Package = { dependencies: Object.keys(dependencies), directory, name, sources }
      return own
    }))
}).pipe(Effect.provide(NodeContext.layer))

const each = (check: (self: Package) => void) => Effect.map(readPackages, (packages) => packages.forEach(check))

const ours = /^@weir\/([^/]+)/

describe("the house", () => {
  it.effect("has the packages of the arrows, and no others", () =>
    Effect.map(readPackages, (packages) => {
      assert.deepStrictEqual(packages.map(({ directory }) => directory).sort(), Object.keys(arrows).sort())
      for (const { directory, name } of packages) {
        assert.strictEqual(name, `@weir/${directory.replace("providers/", "")}`)
        assert.notMatch(directory, /core|shared|common|utils?$/)
      }
    }))

  it.effect("lets no package use one that the arrows do not allow", () =>
    each(({ dependencies, directory, sources }) => {
      const allowed = new Set(arrows[directory])
      const used = [
        ...dependencies.map((name) => ({ file: `${directory}/package.json`, name })),
        ...sources.flatMap(({ file, text }) => importsOf(text).map((name) => ({ file, name })))
      ]
      for (const { file, name } of used) {
        const target = ours.exec(name)?.[1]
        assert.isTrue(target === undefined || allowed.has(target), `${file} may not use ${name}`)
      }
    }))

  it.effect("imports only what a package names as its dependency", () =>
    each(({ dependencies, sources }) => {
      const known = new Set(dependencies)
      for (const { file, text } of sources) {
        for (const name of importsOf(text)) {
          if (name.startsWith(".") || name.startsWith("node:")) continue
          const library = /^(@[^/]+\/[^/]+|[^/]+)/.exec(name)?.[1] ?? name
          assert.isTrue(known.has(library), `${file} imports ${library}, which its package.json does not name`)
        }
      }
    }))

  it.effect("imports no barrel and has none", () =>
    each(({ sources }) => {
      for (const { file, text } of sources) {
        assert.notMatch(file, /(^|\/)index\.ts$/)
        for (const name of importsOf(text)) assert.isFalse(barrels.has(name), `${file} imports the barrel ${name}`)
      }
    }))

  it.effect("touches Node itself only in the files meant for it", () =>
    each(({ sources }) => {
      for (const { file, text } of sources) {
        const touches = importsOf(text).some((name) => name.startsWith("node:"))
        assert.isTrue(!touches || nodeFiles.has(file), `${file} may not touch Node`)
      }
    }))

  it("sees every form of import", () => {
    const text = [
      "import * as A from \"a\"",
      "import type { B } from \"@weir/b/B\"",
      "import {\n  C\n} from \"c\"",
      "export * from \"d\"",
      "import \"e\"",
      "const f = () => import(\"f\")"
    ].join("\n")
    assert.deepStrictEqual([...importsOf(text)].sort(), ["@weir/b/B", "a", "c", "d", "e", "f"])
  })
})
