/** Ids and names of calls, made into what an API takes. */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"

/** The ids in use in one request, each with the number to try next for another call of that name. */
export type Claimed = HashMap.HashMap<string, number>

export const none: Claimed = HashMap.empty()

/** The text in the letters that every API takes, cut to `longest` characters. */
export const legal = (text: string, longest: number): string => text.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, longest)

/** The name of a tool, which a model may have made up. */
export const toolName = (name: string, longest: number): string => legal(name, longest) || "unknown"

/** A legal id that no earlier call has: the given one where possible, and always the same for the same history. */
export const claim = (claimed: Claimed, given: string, longest: number): readonly [string, Claimed] => {
  const base = legal(given, longest) || "call"
  if (!HashMap.has(claimed, base)) return [base, HashMap.set(claimed, base, 2)]
  let number = Option.getOrElse(HashMap.get(claimed, base), () => 2)
  const numbered = () => `${base.slice(0, longest - 1 - String(number).length)}_${number}`
  while (HashMap.has(claimed, numbered())) number++
  const id = numbered()
  return [id, HashMap.set(HashMap.set(claimed, base, number + 1), id, 2)]
}

/** All of these in their order. */
export const claimAll = (
  claimed: Claimed,
  given: ReadonlyArray<string>,
  longest: number
): readonly [ReadonlyArray<string>, Claimed] => {
  let rest = claimed
  const ids = given.map((one) => {
    const [id, after] = claim(rest, one, longest)
    rest = after
    return id
  })
  return [ids, rest]
}
