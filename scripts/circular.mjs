/**
 * Fails when modules import each other in a circle, type-only and dynamic imports included. The graph is the compiler's
 * own: asked to explain why it reads a file, it names all that import it.
 */
import { compile } from "./compiler.mjs"

const { output, status } = compile(["--listFilesOnly", "--explainFiles"], "pipe")

/** Each module of the packages, with those that import it. */
const importers = new Map(
  output.split(/\n(?=\S)/).filter((file) => file.startsWith("packages/")).map((file) => [
    file.split("\n", 1)[0],
    new Set(Array.from(file.matchAll(/^ +Imported via .* from file '(packages\/[^']+)'/gm), ([, importer]) => importer))
  ])
)

const circles = []
const seen = new Set()
const visit = (module, path) => {
  const start = path.indexOf(module)
  if (start >= 0) circles.push([module, ...path.slice(start).reverse()])
  if (seen.has(module)) return
  seen.add(module)
  for (const importer of importers.get(module)) visit(importer, [...path, module])
}
for (const module of importers.keys()) visit(module, [])

for (const circle of circles) console.error(`circular imports: ${circle.join(" -> ")}`)
const imports = [...importers.values()].reduce((sum, { size }) => sum + size, 0)
if (imports === 0) console.error("circular imports: no import was found")
if (status !== 0 || imports === 0 || circles.length > 0) process.exitCode = 1
