import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

const packages = Effect.gen(function*() {
  const path = yield* Path.Path
  return path.join(yield* path.fromFileUrl(new URL("../..", import.meta.url)))
})

/** Ids of the table under "In force". */
const inForce = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(`${yield* packages}/agent/REQUIREMENTS.md`)
  const [, section = ""] = /## In force\n([^]*?)\n## /.exec(text) ?? []
  return [...section.matchAll(/^\| ([A-Z]\d\d) \|/gm)].map(([, id]) => id ?? "")
})

/** The test files of a folder of packages. */
const testsIn = (folder: string) =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const directories = (yield* fs.readDirectory(folder)).map((name) => `${folder}/${name}/test`)
    const names = yield* Effect.forEach(directories, (directory) =>
      fs.readDirectory(directory).pipe(
        Effect.map((names) => names.filter((name) => name.endsWith(".test.ts")).map((name) => `${directory}/${name}`)),
        Effect.orElseSucceed(() => [])
      ))
    return names.flat()
  })

/** Ids in brackets in the title of a test. */
const proven = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const root = yield* packages
  const names = [...(yield* testsIn(root)), ...(yield* testsIn(`${root}/providers`))]
  const texts = yield* Effect.forEach(names, (name) => fs.readFileString(name))
  const titles = texts.flatMap((text) => [...text.matchAll(/\b(?:it|describe)(?:\.\w+)*\(\s*["`]([^\n]*)/g)])
  return new Set(titles.flatMap(([, title = ""]) => [...title.matchAll(/\[([A-Z]\d\d)\]/g)].map(([, id]) => id ?? "")))
})

describe("requirements", () => {
  it.effect("each one in force has a test that names it", () =>
    Effect.gen(function*() {
      const ids = yield* inForce
      const tests = yield* proven
      assert.isAtLeast(ids.length, 16)
      assert.deepStrictEqual(ids.filter((id) => !tests.has(id)), [])
    }).pipe(Effect.provide(NodeContext.layer)))
})
