/** Where this user's configuration and data lie. */
import * as Path from "@effect/platform/Path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "./UsageError.js"
import * as WorkingDirectory from "./WorkingDirectory.js"

export interface Home {
  /** Holds `config.json`. */
  readonly config: string
  /** Holds `sessions/` and `outputs/`. */
  readonly data: string
}

/** Where the tool outputs of a session are kept whole. */
export const outputsOf = (path: Path.Path, { data }: Home, session: string): string =>
  path.join(data, "outputs", session)

const directory = (name: string) =>
  Config.option(Config.nonEmptyString(name)).pipe(Effect.orElseSucceed(() => Option.none<string>()))

/** `WEIR_HOME` replaces both roots; else the XDG base directories and their defaults. */
export const locate = Effect.gen(function*() {
  const path = yield* Path.Path
  const own = yield* directory("WEIR_HOME")
  if (Option.isSome(own)) {
    const root = yield* WorkingDirectory.absolute(own.value)
    return { config: root, data: root } satisfies Home
  }
  const user = yield* directory("HOME")
  const root = Effect.fnUntraced(function*(variable: string, fallback: ReadonlyArray<string>) {
    const named = Option.filter(yield* directory(variable), path.isAbsolute)
    if (Option.isSome(named)) return path.join(named.value, "weir")
    if (Option.isSome(user)) return path.join(user.value, ...fallback, "weir")
    return yield* new UsageError({ message: "The home directory is unknown. Set HOME or WEIR_HOME." })
  })
  return {
    config: yield* root("XDG_CONFIG_HOME", [".config"]),
    data: yield* root("XDG_DATA_HOME", [".local", "share"])
  } satisfies Home
})
