/** A session as one page that needs nothing else: no script, light and dark, fit to be printed. */
import * as Usage from "@weir/model/Usage"
import * as DateTime from "effect/DateTime"
import { describeMark, draw, grouped, names } from "./ChartSvg.js"
import * as ContextChart from "./ContextChart.js"
import * as CostTable from "./CostTable.js"
import { style } from "./ExportStyle.js"
import * as Overview from "./Overview.js"
import type { Stored } from "./SessionStore.js"
import * as Story from "./Story.js"

const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" }

/** Text as HTML shows it; characters that no page may hold are shown as a sign for them. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd")

const block = (kind: string, content: string) => `<section class="${kind}">${content}</section>`

const image = ({ data, mediaType }: { readonly data: string; readonly mediaType: string }) =>
  /^image\/[\w.+-]+$/.test(mediaType) && /^[\w+/=\s-]*$/.test(data)
    ? `<img alt="image" src="data:${mediaType};base64,${data}">`
    : "<p>[an image that cannot be shown]</p>"

const item = Story.Item.$match({
  User: ({ images, text }) => block("user", `<h2>User</h2><p>${escape(text)}</p>${images.map(image).join("")}`),
  Text: ({ text }) => block("agent", `<p>${escape(text)}</p>`),
  Reasoning: ({ text }) => block("reasoning", `<details><summary>Reasoning</summary><p>${escape(text)}</p></details>`),
  Tool: ({ call, result }) =>
    block(
      result.isError ? "tool failed" : "tool",
      `<details><summary><b>${escape(call.name)}</b> ${escape(Overview.line(call.arguments))}` +
        `${result.isError ? " (failed)" : ""}</summary><pre>${escape(call.arguments)}</pre>` +
        `<pre>${escape(result.text)}</pre>${result.images.map(image).join("")}</details>`
    ),
  Notice: ({ text }) => block("notice", `<p>${escape(text)}</p>`)
})

const cells = (tag: "td" | "th", values: ReadonlyArray<string>) =>
  `<tr>${values.map((value) => `<${tag}>${value}</${tag}>`).join("")}</tr>`

const costs = (rows: ReadonlyArray<CostTable.Row>): string => {
  const isPriced = rows.some(({ cost }) => cost !== undefined)
  const head = ["", "requests", "fresh input", "cache read", "cache write", "output", "all tokens"]
  return [
    "<table>",
    cells("th", isPriced ? [...head, "US dollars"] : head),
    ...rows.map(({ cost, name, requests, usage }) => {
      const counts = [usage.fresh, usage.cacheRead, usage.cacheWrite, usage.output, Usage.input(usage) + usage.output]
      return cells("td", [
        name,
        ...[requests, ...counts].map(grouped),
        ...(isPriced ? [cost === undefined ? "" : cost.toFixed(4)] : [])
      ])
    }),
    "</table>"
  ].join("\n")
}

const chart = (self: ContextChart.Chart): string => {
  if (self.bars.length === 0) return "<p>No request was answered.</p>"
  const keys = ContextChart.parts.map((part) => `<li class="${part}">${names[part]}</li>`)
  const list = self.marks.map((mark) => `<li>${escape(describeMark(mark))} (${escape(mark.reason)})</li>`)
  return [
    draw(self),
    `<ul class="legend">${keys.join("")}<li class="budget">input budget</li><li class="trigger">trigger</li></ul>`,
    ...(list.length > 0 ? ["<h3>Compactions</h3>", `<ol>${list.join("")}</ol>`] : [])
  ].join("\n")
}

export const render = ({ records, start }: Stored, prices?: CostTable.Prices): string => {
  const { model = start.model, provider = start.provider, steps, title, turns } = records.reduce(
    Overview.append,
    Overview.empty
  )
  const name = escape(title === "" ? start.id : title)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${name}</h1>
<p>${escape(model)} (${escape(provider)}) in ${escape(start.cwd)}, ${
    DateTime.formatIso(start.at)
  }, ${turns} turns, ${steps} steps. Session ${escape(start.id)}.</p>
</header>
<h2>Context</h2>
${chart(ContextChart.make(records))}
<h2>Cost</h2>
${costs(CostTable.make(records, prices))}
<h2>Conversation</h2>
<main>
${Story.items(records).map((one) => item(one)).join("\n")}
</main>
</body>
</html>
`
}
