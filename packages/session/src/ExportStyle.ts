/** How an exported page looks. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --paper: #ffffff; --soft: #f3f5f7; --line: #d5dbe1; --faint: #5b6672;
  --system: #8a94a0; --tools: #b7a14f; --summary: #8d5fc4; --messages: #2f7fd1; --results: #3aa57a;
  --budget: #c23b3b; --trigger: #d98a1f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ec; --paper: #14171a; --soft: #1f2429; --line: #39414a; --faint: #99a4b0;
    --system: #77818d; --tools: #c9b362; --summary: #aa82dc; --messages: #5aa2ea; --results: #5cc398;
    --budget: #ef7070; --trigger: #f0ac4e;
  }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1000px; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem } h3 { font-size: 1rem; margin: 1rem 0 .25rem }
header p { color: var(--faint); overflow-wrap: anywhere }
p, pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 }
pre { font: 13px/1.45 ui-monospace, monospace; padding: .6rem; border-top: 1px solid var(--line) }
section { margin: .6rem 0; border-radius: 6px }
section h2 { font-size: .8rem; margin: 0 0 .25rem; color: var(--faint) }
.user { background: var(--soft); padding: .75rem 1rem; border-left: 4px solid var(--messages) }
.agent { padding: .25rem 1rem }
.tool, .reasoning { border: 1px solid var(--line) }
.tool summary, .reasoning summary { padding: .35rem .75rem; cursor: pointer; overflow-wrap: anywhere; font-size: .9rem }
.reasoning p { padding: .5rem .75rem; color: var(--faint) }
.failed summary { color: var(--budget) }
.notice { color: var(--faint); text-align: center; font-style: italic }
img { max-width: 100%; display: block; margin: .5rem 0 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; display: block; overflow-x: auto }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line) }
th { color: var(--faint); font-weight: normal } td:first-child { text-align: left }
.chart { width: 100%; height: auto; display: block; font: 11px system-ui, sans-serif }
.chart .grid { stroke: var(--line) } .chart .axis { fill: var(--faint) }
.chart .budget, .chart .trigger { fill: none; stroke-width: 1.5 }
.chart .budget { stroke: var(--budget) } .chart .trigger { stroke: var(--trigger); stroke-dasharray: 6 4 }
.chart .mark line { stroke: var(--ink); stroke-dasharray: 2 3 } .chart .mark text { fill: var(--ink); font-weight: 600 }
rect.system { fill: var(--system) } rect.tools { fill: var(--tools) } rect.summary { fill: var(--summary) }
rect.messages { fill: var(--messages) } rect.results { fill: var(--results) }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: .5rem 0; font-size: .85rem }
.legend li::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em; background: var(--key) }
.legend .system { --key: var(--system) } .legend .tools { --key: var(--tools) } .legend .summary { --key: var(--summary) }
.legend .messages { --key: var(--messages) } .legend .results { --key: var(--results) }
.legend .budget { --key: var(--budget) } .legend .trigger { --key: var(--trigger) }
.legend .budget::before, .legend .trigger::before { height: .2em; vertical-align: middle }
@media print {
  body { max-width: none; padding: 0; font-size: 11pt }
  .user, .chart, table, li { break-inside: avoid }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
`
