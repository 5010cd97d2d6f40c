/** What Weir itself has written: sessions, and limits that it has learned. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as LimitStore from "@weir/agent/LimitStore"
import * as Health from "@weir/session/Health"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Home } from "../Home.js"
import { type Check, type Finding, ok, problem, warning } from "./Finding.js"

/** As long as sessions are read. */
const patience = Duration.seconds(10)

/** No more are told one by one. */
const most = 10

const several = <A>(all: ReadonlyArray<A>, tell: (one: A) => Finding): ReadonlyArray<Finding> => [
  ...all.slice(0, most).map(tell),
  ...(all.length > most ? [warning(`and ${all.length - most} more such sessions`)] : [])
]

const counted = ({ count, read }: Health.Health) => {
  if (count === 0) return "none yet"
  return read === count ? `${count} stored` : `${count} stored; the newest ${read} were read`
}

const findSessions = Effect.fnUntraced(function*(home: Home) {
  const path = yield* Path.Path
  return yield* Effect.match(Health.examine(path.join(home.data, "sessions"), patience), {
    onFailure: ({ message }) => [problem(message, "Check the owner and the permissions of the directory.")],
    onSuccess: (health) => [
      ok(counted(health)),
      ...several(
        health.damaged,
        ({ id, problem: text }) =>
          problem(
            `${id}: ${text}`,
            `What can be read of it: weir sessions show ${id}. To be rid of it: weir sessions delete ${id}`
          )
      ),
      ...several(
        health.stale,
        (id) =>
          warning(
            `${id}: its lock was left by a process that has died`,
            "Nothing: the next to open the session takes it over."
          )
      ),
      ...several(health.foreign, ({ id, problem: text }) => warning(`${id}: it is open on another machine`, text))
    ]
  })
})

export const sessions = (home: Home): Check<FileSystem.FileSystem | Path.Path> => ({
  find: findSessions(home),
  name: "sessions"
})

const findLimits = Effect.fnUntraced(function*(home: Home) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(home.data, "limits.json")
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decode(LimitStore.Json)),
    Effect.match({
      onFailure: (error) =>
        error._tag === "SystemError" && error.reason === "NotFound"
          ? [ok("none learned yet")]
          : [warning(`${file} cannot be read, so nothing learned counts`, "Delete it: it is learned again.")],
      onSuccess: (limits) => [ok(`${Object.keys(limits).length} learned`)]
    })
  )
})

export const limits = (home: Home): Check<FileSystem.FileSystem | Path.Path> => ({
  find: findLimits(home),
  name: "limits"
})
