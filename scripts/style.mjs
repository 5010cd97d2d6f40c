/** Style: the rules of .oxlintrc.json, then dprint's format. `--fix` mends what it can; paths narrow it to them. */
import { createContext } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { parseArgs } from "node:util"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { fix: { default: false, type: "boolean" } }
})
const paths = positionals.length === 0 ? ["."] : positionals

const oxlint = path.join(path.dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin", "oxlint")
const options = ["--deny-warnings", ...(values.fix ? ["--fix"] : [])]
const { status } = spawnSync(process.execPath, [oxlint, ...options, ...paths], { stdio: "inherit" })
if (status !== 0) process.exitCode = 1

const formatter = createContext({ indentWidth: 2, lineWidth: 120 }).addPlugin(fs.readFileSync(getPath()), {
  "arrowFunction.useParentheses": "force",
  "operatorPosition": "maintain",
  "quoteStyle": "alwaysDouble",
  "semiColons": "asi",
  "trailingCommas": "never"
})

const sourcesIn = (at) => {
  if (!fs.statSync(at).isDirectory()) return /\.(ts|mjs)$/.test(at) ? [at] : []
  const names = fs.readdirSync(at).filter((name) => !/^(\..*|dist|node_modules)$/.test(name))
  return names.flatMap((name) => sourcesIn(path.join(at, name)))
}

/** The number of the first line that differs. */
const lineOf = (text, formatted) => {
  const lines = formatted.split("\n")
  return text.split("\n").findIndex((line, index) => line !== lines[index]) + 1
}

for (const file of paths.flatMap(sourcesIn)) {
  const text = fs.readFileSync(file, "utf8")
  try {
    const formatted = formatter.formatText({ filePath: file, fileText: text })
    if (formatted === text) continue
    if (values.fix) fs.writeFileSync(file, formatted)
    else throw new Error(`line ${lineOf(text, formatted)} is not formatted: pnpm lint --fix ${file}`)
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
