/** Lists models as lines of a table: what the catalogue knows, and what a server nearby tells. */
import * as Catalogue from "@weir/catalogue/Catalogue"
import { visible } from "@weir/tui/Visible"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Home from "./Home.js"
import { Host } from "./Host.js"
import * as LocalServer from "./LocalServer.js"
import * as Provider from "./Provider.js"
import * as ProviderKey from "./ProviderKey.js"
import { openAiCompatible } from "./ProviderTable.js"
import * as Settings from "./Settings.js"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

type Line = ReadonlyArray<string>

const heading: Line = [
  "PROVIDER",
  "MODEL",
  "WINDOW",
  "INPUT",
  "OUTPUT",
  "$/M IN",
  "$/M OUT",
  "$/M CACHE READ",
  "$/M CACHE WRITE",
  "ALSO"
]

/** All columns but the first two and the last hold numbers. */
const isNumber = (column: number) => column >= 2 && column < heading.length - 1

const none = "-"

const line = (entry: Catalogue.Entry): Line => {
  const { id, images, maxInput, maxOutput, prices, provider, reasoning, window } = entry
  const costs = prices ? [prices.input, prices.output, prices.cacheRead, prices.cacheWrite] : [0, 0, 0, 0]
  return [
    provider,
    id,
    ...[window, maxInput, maxOutput, ...costs].map((value) => value ? String(value) : none),
    [...(images ? ["images"] : []), ...(reasoning ? ["reasoning"] : [])].join(" ") || none
  ]
}

const servedLines = (served: ReadonlyArray<LocalServer.Served>): ReadonlyArray<Line> =>
  [...new Set(served.flatMap(({ id }) => id ?? []))].map((id) => [
    "local",
    visible(id),
    Option.match(LocalServer.windowOf(served, id), { onNone: () => none, onSome: String }),
    ...heading.slice(3).map(() => none)
  ])

/** Columns as wide as their widest text, numbers to the right. */
const aligned = (lines: ReadonlyArray<Line>): string => {
  const widths = heading.map((_, column) => Math.max(...lines.map((texts) => texts[column]?.length ?? 0)))
  return lines.map((texts) =>
    texts.map((text, column) =>
      isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)
    ).join("  ").trimEnd()
  ).join("\n")
}

/** What the server at the settings' address serves, where that is nearby. */
const nearby = Effect.fnUntraced(function*({ addressFromProject, settings }: Settings.Loaded) {
  const { apiKeyEnv, baseUrl, headers } = settings
  if (baseUrl === undefined || !LocalServer.isLocal(baseUrl)) return []
  const key = yield* ProviderKey.read(openAiCompatible.keyVariables, apiKeyEnv)
  return servedLines(
    yield* LocalServer.ask({
      baseUrl,
      ...(headers && { headers }),
      ...(Option.isSome(key) && !addressFromProject && { apiKey: key.value })
    })
  )
})

/** Of the providers that Weir has an API for, or of the one that is named. */
const known = Effect.fnUntraced(function*(named: string | undefined) {
  const own = Provider.all.flatMap(({ catalogued, name }) => catalogued ? [name] : [])
  if (named !== undefined && !Catalogue.providers.includes(named)) {
    return yield* new UsageError({
      message: `No models of ${named} are known. Known are those of ${Catalogue.providers.join(", ")}.`
    })
  }
  const entries = yield* Effect.forEach(named === undefined ? own : [named], Catalogue.models)
  return entries.flat().map(line)
})

export const list = Effect.fnUntraced(function*(asked: {
  readonly flags: Settings.Settings
  readonly provider: string | undefined
}) {
  const { stderr, stdout } = yield* Host
  const cwd = yield* WorkingDirectory.choose(Option.none())
  const loaded = yield* Settings.load({ cwd, flags: asked.flags, home: yield* Home.locate })
  const given = asked.flags.baseUrl
  const served = asked.provider === undefined ? yield* nearby(loaded) : []
  if (given !== undefined && served.length === 0) {
    yield* stderr.write(
      LocalServer.isLocal(given)
        ? `weir: ${given} does not say which models it serves.\n`
        : `weir: ${given} is not asked: it is neither on this machine nor in a private network.\n`
    )
  }
  yield* stdout.write(`${aligned([heading, ...served, ...(yield* known(asked.provider))])}\n`)
})
