/**
 * Reads an argument vector: the command, then each option apart from its value, then the words. What is no option of
 * the command is refused here.
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as TerminalText from "./TerminalText.js"
import { UsageError } from "./UsageError.js"

/** Options by their names with dashes. */
export type OptionTable = ReadonlyMap<string, Options.Options<unknown>>

const help = Options.boolean("help")

/** What every command understands. */
const builtIn: OptionTable = new Map<string, Options.Options<unknown>>([
  ["--help", help],
  ["-h", help],
  ["--version", Options.boolean("version")],
  ["--wizard", Options.boolean("wizard")],
  ["--completions", Options.choice("completions", ["sh", "bash", "fish", "zsh"])],
  ["--log-level", Options.choice("log-level", LogLevel.allLevels.map((level) => level._tag.toLowerCase()))]
])

export const optionTable = (options: ReadonlyArray<Options.Options<unknown>>): OptionTable =>
  new Map(options.flatMap((option) =>
    Option.match(Options.getIdentifier(option), {
      onNone: () => [],
      onSome: (name) => [[name, option] as const]
    })
  ))

/** No argument of a process can hold this character. */
const mark = "\0"

/** Stands for the command that has no name: no argument can be equal to it. */
export const interactive = `${mark}interactive`

/** An option's name, alone or with its value. */
type Given = readonly [name: string, ...value: ReadonlyArray<string>]

export interface Reading {
  /** The words that call a command, or `interactive`; none when the program itself is asked. */
  readonly command: string
  readonly options: ReadonlyArray<Given>
  readonly words: ReadonlyArray<string>
}

/** Whether @effect/cli itself is to answer, as it does `--help`. */
export const asksCli = ({ command, options }: Reading): boolean =>
  command === "" || options.some(([name]) => builtIn.has(name))

/** The options' values as @effect/cli takes them. */
export const valuesByName = ({ options }: Reading): HashMap.HashMap<string, ReadonlyArray<string>> =>
  HashMap.fromIterable(
    Object.entries(Arr.groupBy(options, ([name]) => name)).map(([name, given]) => [
      name,
      given.flatMap(([, ...values]) => values)
    ])
  )

/**
 * The arguments in the one form that @effect/cli reads without surprises: words are marked, so that none can be taken
 * for an option or an option's value.
 */
export const canonical = ({ command, options, words }: Reading): ReadonlyArray<string> => [
  ...command === "" || command === interactive ? [] : command.split(" "),
  ...options.flat(),
  ...words.map((word) => mark + word)
]

/** The word as it was typed. */
export const unmark = (word: string): string => word.startsWith(mark) ? word.slice(mark.length) : word

const fail = (message: string) => new UsageError({ message })

/** Fails, naming the option, when a value is none of its own. */
const check = (name: string, value: string, option: Options.Options<unknown>) =>
  Options.parse(option, HashMap.make([name, [value]]), CliConfig.defaultConfig).pipe(
    Effect.mapError(({ error }) => fail(`${name}: ${TerminalText.plain(HelpDoc.toAnsiText(error)).trim()}`))
  )

/** Of short names a letter makes another word; of `-x` one makes anything. */
const tolerance = ({ length }: string) => length < 3 ? 0 : length < 5 ? 1 : 2

const nearest = (name: string, known: Iterable<string>) =>
  [...known]
    .map((candidate) => ({
      candidate,
      distance: AutoCorrect.levensteinDistance(name, candidate, CliConfig.defaultConfig)
    }))
    .filter(({ distance }) => distance <= tolerance(name))
    .sort((a, b) => a.distance - b.distance)[0]?.candidate

const unknownOption = (command: string, name: string, table: OptionTable) => {
  const guess = nearest(name, table.keys())
  return fail(
    guess === undefined
      ? `Unknown option ${name}. Words that begin with a dash go after --. Try: ${command} --help`
      : `Unknown option ${name}. Did you mean ${guess}?`
  )
}

const isRepeatable = (option: Options.Options<unknown> | undefined) =>
  option !== undefined && Options.getUsage(option)._tag === "Repeated"

/** Of an option that was given twice the last counts, unless it may be repeated. */
const lastOfEach = (given: ReadonlyArray<Given>, table: OptionTable) =>
  given.filter(([name], at) => isRepeatable(table.get(name)) || given.findLastIndex(([other]) => other === name) === at)

/** What the arguments of one command say; `called` is how it is called in an error. */
const read = Effect.fnUntraced(function*(
  command: string,
  called: string,
  args: ReadonlyArray<string>,
  own: OptionTable
) {
  const table: OptionTable = new Map([...builtIn, ...own])
  const options: Array<Given> = []
  const words: Array<string> = []
  let at = 0
  while (at < args.length) {
    const arg = args[at++] ?? ""
    if (arg === "--") {
      words.push(...args.slice(at))
      break
    }
    if (!arg.startsWith("-") || arg === "-") {
      words.push(arg)
      continue
    }
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1
    const name = equals === -1 ? arg : arg.slice(0, equals)
    const option = table.get(name)
    if (option === undefined) return yield* unknownOption(called, name, table)
    if (Options.isBool(option)) {
      if (equals !== -1) return yield* fail(`${name} takes no value.`)
      options.push([name])
      continue
    }
    const value = equals === -1 ? args[at++] : arg.slice(equals + 1)
    if (value === undefined || (equals === -1 && (value === "--" || table.has(value)))) {
      return yield* fail(`${name} needs a value.`)
    }
    yield* check(name, value, option)
    options.push([name, value])
  }
  const helps = options.some(([name]) => name === "--help" || name === "-h")
  const reading: Reading = helps
    ? { command, options: [["--help"]], words: [] }
    : { command, options: lastOfEach(options, table), words }
  return reading
})

/** The command that the first words name: two of them, or one. */
const commandOf = (args: ReadonlyArray<string>, commands: ReadonlyMap<string, OptionTable>) => {
  const [first = "", second] = args
  const both = `${first} ${second}`
  const name = commands.has(both) ? both : first
  const own = commands.get(name)
  return own && { name, own, words: name.split(" ") }
}

/** The commands inside another, such as those of `sessions`. */
const inside = (name: string, commands: ReadonlyMap<string, OptionTable>) =>
  [...commands.keys()].filter((other) => other.startsWith(`${name} `)).map((other) => other.slice(name.length + 1))

/** What other programs call a command. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["help", "--help"],
  ["login", "auth login"],
  ["logout", "auth logout"],
  ["version", "--version"]
])

/**
 * What was meant by words that call no command and are hardly a message: one that is spelt nearly as a command is and
 * stands alone, or before the name of a command within it.
 */
const meant = (args: ReadonlyArray<string>, commands: ReadonlyMap<string, OptionTable>): string | undefined => {
  const [first = "", second] = args
  if (/^-|\s/.test(first) || first === "") return undefined
  if (second === undefined && elsewhere.has(first)) return elsewhere.get(first)
  const known = [...commands.keys()].filter((name) => name !== interactive && !name.includes(" "))
  const name = nearest(first.toLowerCase(), known)
  if (name === undefined) return undefined
  if (second === undefined) return name
  return inside(name, commands).includes(second) ? `${name} ${second}` : undefined
}

/**
 * Reads `args`, which begin after the program's name. `commands` names each command's own options; the name of a
 * command within a group has two words.
 */
export const reading = Effect.fnUntraced(function*(
  args: ReadonlyArray<string>,
  commands: ReadonlyMap<string, OptionTable>
) {
  const [first] = args
  const command = commandOf(args, commands)
  if (command !== undefined) {
    const { name, own, words } = command
    const rest = args.slice(words.length)
    const others = inside(name, commands)
    const [next] = rest
    if (others.length > 0 && next !== undefined && !next.startsWith("-")) {
      return yield* fail(`There is no command ${name} ${next}. Its commands are ${others.join(", ")}.`)
    }
    return yield* read(name, `weir ${name}`, rest, own)
  }
  if (first !== undefined && builtIn.has(first)) return yield* read("", "weir", args, new Map())
  const guess = meant(args, commands)
  if (guess !== undefined) {
    return yield* fail(
      `There is no command ${first}. Did you mean: weir ${guess} ? To say it to the agent: weir -- ${args.join(" ")}`
    )
  }
  return yield* read(interactive, "weir", args, commands.get(interactive) ?? new Map())
})
