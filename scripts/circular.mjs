/** Fails when modules import each other in a circle, type-only imports included. */
import madge from "madge"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

const graph = await madge(`${root}packages`, {
  baseDir: root,
  detectiveOptions: { ts: { mixedImports: true, skipTypeImports: false } },
  excludeRegExp: [/\/dist\//, /node_modules\/(?!@weir\/)/],
  fileExtensions: ["ts"],
  tsConfig: `${root}tsconfig.json`
})

const circles = graph.circular()
for (const circle of circles) console.error(`circular imports: ${[...circle, circle[0]].join(" -> ")}`)
if (Object.keys(graph.obj()).length === 0) {
  console.error("circular imports: no module was found")
  process.exitCode = 1
}
if (circles.length > 0) process.exitCode = 1
