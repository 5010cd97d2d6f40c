/**
 * Environment variables by their names, of which most are not set. To look for one that is not costs a Config more than
 * to list those that are.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

export interface Variable {
  readonly name: string
  readonly text: string
}

/** A variable of the process is listed part by part, as if each underscore went one level deeper. */
const isUnder = (name: string, beginning: string) => name === beginning || name.startsWith(`${beginning}_`)

/** Those of `names` that may be set, from what the first two levels list; names are listed in capitals. */
const candidates = (names: ReadonlyArray<string>) =>
  Effect.configProviderWith(({ flattened }) =>
    Effect.gen(function*() {
      const first = Array.from(yield* flattened.enumerateChildren([]))
      const heads = first.filter((head) => names.some((name) => isUnder(name.toUpperCase(), head.toUpperCase())))
      const listed = yield* Effect.forEach(heads, (head) =>
        flattened.enumerateChildren([head]).pipe(
          Effect.map((children) => Array.from(children, (child) => `${head}_${child}`.toUpperCase())),
          Effect.orElseSucceed(() => [])
        ))
      const below = listed.flat()
      const whole = new Set(heads.map((head) => head.toUpperCase()))
      return names.filter((name) => {
        const capitals = name.toUpperCase()
        return whole.has(capitals) || below.some((beginning) => isUnder(capitals, beginning))
      })
    }).pipe(Effect.orElseSucceed(() => names))
  )

const look = (name: string) =>
  Effect.map(Effect.option(Config.nonEmptyString(name)), Option.map((text): Variable => ({ name, text })))

/** Those that are set, and are not empty, in the order of `names`. */
export const read = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
  const found = yield* Effect.forEach(yield* candidates(names), look)
  return found.flatMap(Option.toArray)
})

/** The first that is set, and is not empty. */
export const first = (names: ReadonlyArray<string>): Effect.Effect<Option.Option<Variable>> =>
  Effect.map(read(names), ([variable]) => Option.fromNullable(variable))

/** The names of all that are set and begin with this word, by the alphabet. */
export const namesUnder = (head: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.configProviderWith(({ flattened }) => {
    const below = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
      flattened.enumerateChildren(path).pipe(
        Effect.orElseSucceed(() => []),
        Effect.map((children) => Array.from(children).filter((child) => path.length > 0 || isUnder(child, head))),
        Effect.flatMap(
          Effect.forEach((child) =>
            Effect.map(below([...path, child]), (deeper) => [[...path, child].join("_"), ...deeper])
          )
        ),
        Effect.map((found) => found.flat())
      )
    return Effect.flatMap(below([]), (all) => Effect.map(read(all), (set) => set.map(({ name }) => name).sort()))
  })
