/** `weir doctor`: looks at all that a session needs, and says what to do where something is wrong. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import type { FileSystem } from "@effect/platform/FileSystem"
import type { Path } from "@effect/platform/Path"
import { colours, plain } from "@weir/tui/Theme"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Credentials from "../Credentials.js"
import * as Home from "../Home.js"
import { Host } from "../Host.js"
import type * as Settings from "../Settings.js"
import * as TerminalText from "../TerminalText.js"
import type { UsageError } from "../UsageError.js"
import * as WorkingDirectory from "../WorkingDirectory.js"
import * as Configuration from "./Configuration.js"
import { type Check, type Finding, guarded, line, problem, verdict } from "./Finding.js"
import * as Machine from "./Machine.js"
import * as Reach from "./Reach.js"
import * as Records from "./Records.js"

export interface Asked {
  readonly cwd: Option.Option<string>
  readonly flags: Settings.Settings
  readonly mayAsk: boolean
}

type Needs = CommandExecutor | Credentials.Credentials | FileSystem | Host | Path

/** Those that need to know where the user's files are. */
const atHome = (place: Settings.Place, flags: Settings.Settings, mayAsk: boolean): ReadonlyArray<Check<Needs>> => [
  Configuration.files(place),
  Configuration.variables,
  Configuration.keys,
  Configuration.stored(place.home),
  Machine.data(place.home.data),
  Records.sessions(place.home),
  Records.limits(place.home),
  Reach.provider(place, flags, mayAsk)
]

const anywhere: ReadonlyArray<Check<Needs>> = [
  Machine.node(process.versions.node),
  Machine.terminal,
  Machine.ripgrep,
  Machine.git
]

/** Where the user has no place for files, nothing is looked for there. */
const nowhere = { config: "/dev/null", data: "/dev/null" }

const ofHome = Effect.fnUntraced(function*(
  home: Either.Either<Home.Home, UsageError>,
  cwd: string,
  { flags, mayAsk }: Pick<Asked, "flags" | "mayAsk">
) {
  const only = (name: string, findings: ReadonlyArray<Finding>): ReadonlyArray<Check<Needs>> => [
    { find: Effect.succeed(findings), name }
  ]
  if (Either.isLeft(home)) return only("home", [problem(home.left.message, "export WEIR_HOME=DIR")])
  const place = { cwd, home: home.right }
  const obstacles = yield* Configuration.obstacles(place)
  return obstacles.length > 0 ? only("files", obstacles) : atHome(place, flags, mayAsk)
})

/** Prints a line a finding, in the order of the checks. Succeeds with the exit code: 1 when there is a problem. */
export const examine = Effect.fnUntraced(function*({ cwd, flags, mayAsk }: Asked) {
  const { stdout } = yield* Host
  const theme = (yield* TerminalText.isStyled(stdout)) ? colours : plain
  const directory = yield* WorkingDirectory.choose(cwd)
  const home = yield* Effect.either(Home.locate)
  const credentials = yield* Layer.build(Credentials.layerHome(Either.getOrElse(home, () => nowhere)))
  const checks = [...anywhere, ...(yield* ofHome(home, directory, { flags, mayAsk }))]
  const running = yield* Effect.forEach(checks, (check) =>
    Effect.map(
      Effect.fork(Effect.provide(guarded(check), credentials)),
      (fiber) => ({ fiber, name: check.name })
    ))
  const all: Array<Finding> = []
  for (const { fiber, name } of running) {
    for (const finding of yield* Fiber.join(fiber)) {
      all.push(finding)
      yield* stdout.write(line(theme, name, finding))
    }
  }
  yield* stdout.write(`\n${verdict(all)}`)
  return all.some(({ mark }) => mark === "problem") ? 1 : 0
}, Effect.scoped)
