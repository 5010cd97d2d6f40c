// Writes the generated sections of this package's README: the table that decides, and the example.
import { build } from "esbuild"
import { readFile, writeFile } from "node:fs/promises"

const at = (name) => new URL(`../${name}`, import.meta.url)

const { outputFiles: [bundle] } = await build({
  bundle: true,
  entryPoints: [at("test/DecidePage.ts").pathname],
  format: "esm",
  write: false
})
const { table } = await import(`data:text/javascript;base64,${Buffer.from(bundle.contents).toString("base64")}`)
const example = (await readFile(at("test/Embedding.ts"), "utf8")).trimEnd()

const sections = { table, example: `\`\`\`ts\n${example}\n\`\`\`` }
const readme = await readFile(at("README.md"), "utf8")
await writeFile(
  at("README.md"),
  Object.entries(sections).reduce(
    (text, [name, section]) =>
      text.replace(
        new RegExp(`<!-- ${name} -->\n[^]*?<!-- end of ${name} -->`),
        () => `<!-- ${name} -->\n${section}\n<!-- end of ${name} -->`
      ),
    readme
  )
)
