/** A made-up project, large enough to fill a small window. */
import type { Files } from "./Workbench.js"

const filler = (seed: string, lines: number) =>
  Array.from({ length: lines }, (_, index) =>
    index % 9 === 0
      ? ""
      : `  const ${seed}Value${index} = mix(${seed}Value${Math.max(0, index - 1)}, "${
        "lorem ipsum ".repeat(1 + index % 3)
      }")`)

const module = (name: string, special: ReadonlyArray<string>) =>
  [
    `// The ${name} of the kettle.`,
    `import { mix } from "./mix.js"`,
    ...filler(name, 60),
    ...special,
    ...filler(`${name}Late`, 60)
  ].join("\n")

const names = [
  "lid",
  "spout",
  "handle",
  "base",
  "lamp",
  "sensor",
  "cord",
  "plug",
  "filter",
  "scale",
  "whistle",
  "hinge"
]

export const kettle: Files = {
  "README.md": "# Kettle\n\nThe boiling point is configured by hand.\n",
  "src/mix.ts": "export const mix = (a: unknown, b: string) => `${a}${b}`\n",
  "src/boilingPoint.ts": module("boiler", [
    "/** The boiling point in degrees, by altitude in metres. */",
    "export const boilingPoint = (altitude: number): number => 100 - altitude / 300",
    "\tconst boilingPointCache = new Map<number, number>()",
    "export class BoilingPointError extends Error {}"
  ]),
  "src/thermostat.ts": module("thermostat", [
    "import { boilingPoint } from './boilingPoint.js'",
    "export function switchOff(temperature: number, altitude: number) {",
    "  return temperature >= boilingPoint(altitude)",
    "}"
  ]),
  "test/boilingPoint.test.ts": module("cases", [
    `describe("boiling point", () => {`,
    `  it("works out the boiling point at sea level", () => assert(boilingPoint(0) === 100))`,
    `  it("has its summit at 8848 metres", () => assert(boilingPoint(8848) > 70))`,
    `})`
  ]),
  "test/thermostat.test.ts": module("thermostatCases", [
    `  it("switches off when the point of boiling is reached", () => assert(switchOff(100, 0)))`
  ]),
  ...Object.fromEntries(names.map((name) => [
    `src/parts/${name}.ts`,
    module(name, [
      `export const ${name}Altitude = 300`,
      `// The ${name} gets hot at the boiling point.`,
      `export const ${name}Point = boilingPoint(${name}Altitude)`
    ])
  ]))
}
