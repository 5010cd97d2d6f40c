/**
 * Links the chunks of a split bundle, ES modules, as CommonJS with plain bindings. esbuild's own conversion reads
 * an imported name through two getters, each time that it is used.
 */
const importing = /^import (?:\{([^}]*)\} from )?"\.\/(part-[^"]+)";\n/gm
const importingLater = /\bimport\("\.\/(part-[^"]+)"\)/g
const exporting = /^export \{([^}]*)\};\n?$/m
const assignment =
  /(\b(?:var|let|const)\s+)?(?<![\w$.])([A-Za-z_$][\w$]*)\s*(?:=(?![=>])|[-+*/%&|^]=|\?\?=|\|\|=|&&=|\+\+|--)/g

/** `a, b as c` as `[["a", "a"], ["b", "c"]]`. */
const pairs = (list) =>
  list.split(",").map((item) => item.trim()).filter((item) => item !== "").map((item) => {
    const [from, to = from] = item.split(" as ")
    return [from, to]
  })

/** Local and exported names. */
const exportsOf = (text) => pairs(exporting.exec(text)?.[1] ?? "")

/** Exported names whose value may change after the chunk has run: any that is assigned outside of its declaration. */
const changing = (text) => {
  const assigned = new Set()
  for (const [, declared, name] of text.matchAll(assignment)) if (declared === undefined) assigned.add(name)
  return new Set(exportsOf(text).flatMap(([local, name]) => assigned.has(local) ? [name] : []))
}

const required = (from) => `require("./${from}")`

/** Chunks as `{ name, text }`; none may import each other in a circle, as esbuild's never do. */
export const link = (chunks) => {
  const live = new Map(chunks.map(({ name, text }) => [name, changing(text)]))
  const bindings = (names, from) => {
    const [changed, fixed] = [[], []]
    for (const pair of pairs(names)) (live.get(from).has(pair[0]) ? changed : fixed).push(pair)
    return `const { ${fixed.map(([name, local]) => `${name}: ${local}`).join(", ")} } = ${required(from)};\n${
      changed.length === 0
        ? ""
        : `import { ${changed.map((pair) => pair.join(" as ")).join(", ")} } from "./${from}";\n`
    }`
  }
  const exported = (name) => ([local, as]) =>
    live.get(name).has(as) ? `get ${as}() { return ${local} }` : `${as}: ${local}`
  return chunks.map(({ name, text }) => ({
    name,
    text: `"use strict";\n${text}`
      .replace(importing, (_, names, from) => names === undefined ? `${required(from)};\n` : bindings(names, from))
      .replace(importingLater, (_, from) => `Promise.resolve().then(() => ${required(from)})`)
      .replace(exporting, (_, names) => {
        const members = ["__esModule: true", ...pairs(names).map(exported(name))]
        return `module.exports = { ${members.join(", ")} };\n`
      })
  }))
}
