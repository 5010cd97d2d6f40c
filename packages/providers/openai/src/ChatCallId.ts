/** Ids of calls, as a dialect takes them: unique in the history, and always the same for the same history. */
import * as CallId from "@weir/transport/CallId"
import * as HashMap from "effect/HashMap"
import type { Dialect } from "./ChatDialect.js"

const longest = 40

const isNine = (id: string) => /^[A-Za-z0-9]{9}$/.test(id)

/** The given id where it has the form and is free, else the number of the call. */
const claimNine = (claimed: CallId.Claimed, given: string): readonly [string, CallId.Claimed] => {
  let id = given
  for (let number = HashMap.size(claimed); !isNine(id) || HashMap.has(claimed, id); number++) {
    id = String(number).padStart(9, "0")
  }
  return [id, HashMap.set(claimed, id, 2)]
}

export const claimAll = (
  claimed: CallId.Claimed,
  given: ReadonlyArray<string>,
  { callIds }: Dialect
): readonly [ReadonlyArray<string>, CallId.Claimed] => {
  if (callIds === "common") return CallId.claimAll(claimed, given, longest)
  return given.reduce<readonly [ReadonlyArray<string>, CallId.Claimed]>(([ids, before], one) => {
    const [id, after] = claimNine(before, one)
    return [[...ids, id], after]
  }, [[], claimed])
}
