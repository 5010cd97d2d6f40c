/** The context chart as an SVG picture: a bar a request, lines for budget and trigger, a mark a compaction. */
import { type Chart, type Mark, type Part, parts } from "./ContextChart.js"

/** 12,345 */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")

export const names: { readonly [part in Part]: string } = {
  system: "system prompt",
  tools: "tools",
  summary: "summary",
  messages: "messages",
  results: "tool results"
}

const width = 960
const height = 300
const left = 64
const right = 12
const top = 24
const bottom = 28

const round = (value: number): number => Math.round(value * 100) / 100

/** A round number that is at least a fifth of the whole. */
const tick = (most: number): number => {
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)))
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
}

export const describeMark = ({ after, before, cost, dollars, millis }: Mark): string =>
  `${grouped(before)} to ${grouped(after)} tokens, removed ${grouped(Math.max(0, before - after))}, ` +
  `cost ${grouped(cost)} tokens${dollars === undefined ? "" : ` ($${dollars.toFixed(4)})`} and ` +
  `${(millis / 1_000).toFixed(1)} s`

export const draw = ({ bars, marks }: Chart): string => {
  const totals = bars.map(({ tokens }) => parts.reduce((sum, part) => sum + tokens[part], 0))
  const limits = bars.flatMap(({ context }) => context ? [context.budget] : [])
  const most = 1.05 * Math.max(1, ...totals, ...limits)
  const plot = { width: width - left - right, height: height - top - bottom }
  const step = plot.width / Math.max(1, bars.length)
  const x = (at: number) => round(left + at * step)
  const y = (tokens: number) => round(top + plot.height * (1 - tokens / most))
  const thickness = round(Math.max(0.5, Math.min(24, step * 0.8)))

  const grid = Array.from({ length: Math.floor(most / tick(most)) + 1 }, (_, at) => at * tick(most)).map((tokens) =>
    `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(tokens)}" y2="${y(tokens)}"/>` +
    `<text class="axis" x="${left - 8}" y="${y(tokens) + 4}" text-anchor="end">${grouped(tokens)}</text>`
  )

  const columns = bars.map(({ event, tokens }, at) => {
    let below = 0
    const pieces = parts.map((part) => {
      const from = y(below)
      below += tokens[part]
      const size = round(from - y(below))
      return size === 0
        ? ""
        : `<rect class="${part}" x="${round(x(at) + (step - thickness) / 2)}" y="${
          y(below)
        }" width="${thickness}" height="${size}"/>`
    })
    const legend = parts.map((part) => `${names[part]} ${grouped(tokens[part])}`).join(", ")
    return `<g><title>Request ${at + 1} (event ${event}): ${grouped(below)} tokens: ${legend}</title>${
      pieces.join("")
    }</g>`
  })

  /** A line over all bars that know it. */
  const level = (name: "budget" | "trigger") => {
    const points = bars.flatMap(({ context }, at) =>
      context ? [`${x(at)},${y(context[name])} ${x(at + 1)},${y(context[name])}`] : []
    )
    return points.length === 0 ? "" : `<polyline class="${name}" points="${points.join(" ")}"/>`
  }

  const compactions = marks.map((mark, index) =>
    `<g class="mark"><title>Compaction ${index + 1}: ${describeMark(mark)}</title>` +
    `<line x1="${x(mark.at)}" x2="${x(mark.at)}" y1="${top - 6}" y2="${top + plot.height}"/>` +
    `<text x="${x(mark.at)}" y="${top - 10}" text-anchor="middle">${index + 1}</text></g>`
  )

  const last = bars.length
  return [
    `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="Tokens of each request">`,
    ...grid,
    ...columns,
    level("budget"),
    level("trigger"),
    ...compactions,
    `<text class="axis" x="${left}" y="${height - 8}">request 1</text>`,
    ...(last > 1
      ? [`<text class="axis" x="${width - right}" y="${height - 8}" text-anchor="end">request ${last}</text>`]
      : []),
    "</svg>"
  ].join("\n")
}
