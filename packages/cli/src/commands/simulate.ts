/** `weir simulate`: the provider simulator, for people who test agents. Loaded when it is asked for. */
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Refusal from "@weir/model/Refusal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Entry from "../Entry.js"
import { Host } from "../Host.js"
import * as Settings from "../Settings.js"
import { UsageError } from "../UsageError.js"

const options = {
  port: Options.integer("port").pipe(
    Options.withPseudoName("N"),
    Options.withDescription("The port on 127.0.0.1; a free one by default."),
    Options.withDefault(0)
  ),
  script: Options.text("script").pipe(
    Options.withPseudoName("FILE"),
    Options.withDescription("A JSON file that says what the model replies, its window, and its faults."),
    Options.optional
  )
}

const defaultScript = "{\"replies\": [{\"text\": \"This is the simulator. Give it a script to say something else.\"}]}"

const readScript = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.mapError((error) =>
      new UsageError({
        message: `The script cannot be read. Check the name and permissions of ${file}: ${Refusal.words(error)}.`
      })
    )
  )

/** Serves until it is interrupted; standard output names the address. */
const serve = Effect.fnUntraced(function*(port: number, script: Option.Option<string>) {
  const { stdout } = yield* Host
  const { ScriptFile, Simulator } = yield* Effect.all({
    ScriptFile: Effect.promise(() => import("@weir/simulator/ScriptFile")),
    Simulator: Effect.promise(() => import("@weir/simulator/Simulator"))
  })
  const text = Option.isSome(script) ? yield* readScript(script.value) : defaultScript
  const behaviour = yield* ScriptFile.parse(text).pipe(
    Effect.mapError((error) => Settings.describe(Option.getOrElse(script, () => "script"), error))
  )
  const simulator = yield* Simulator.make({ ...behaviour, port }).pipe(
    Effect.mapError((error) =>
      new UsageError({ message: `Port ${port} cannot be used; choose another with --port. (${error.message})` })
    )
  )
  yield* stdout.write(`${simulator.url}\n`)
  return yield* Effect.never
}, Effect.scoped)

export const entry = Entry.make("simulate", {
  args: Entry.noArgs,
  description: "Serve a simulated model provider, for testing agents.",
  handler: ({ port, script }) => serve(port, script),
  options: Options.all(options),
  record: options
})
