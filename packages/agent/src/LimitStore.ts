/** Windows learned from providers, kept across sessions. Losing one costs a refused request, so no failure is told. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { LearnedLimit } from "@weir/compaction/LearnedLimit"
import type { Model } from "@weir/model/Model"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"

export class LimitStore extends Context.Tag("@weir/agent/LimitStore")<LimitStore, {
  readonly get: (model: Model["Type"]) => Effect.Effect<Option.Option<LearnedLimit>>
  readonly set: (model: Model["Type"], limit: LearnedLimit) => Effect.Effect<void>
}>() {}

const Limits = Schema.Record({ key: Schema.String, value: LearnedLimit })
type Limits = typeof Limits.Type

const keyOf = (model: Model["Type"]) => `${model.endpoint} ${model.id}`

const make = (
  read: Effect.Effect<Limits>,
  write: (limits: Limits) => Effect.Effect<void>
): LimitStore["Type"] => ({
  get: (model) => Effect.map(read, (limits) => Option.fromNullable(limits[keyOf(model)])),
  set: (model, limit) => Effect.flatMap(read, (limits) => write({ ...limits, [keyOf(model)]: limit }))
})

export const layerMemory: Layer.Layer<LimitStore> = Layer.effect(
  LimitStore,
  Effect.map(Ref.make<Limits>({}), (ref) => make(Ref.get(ref), (limits) => Ref.set(ref, limits)))
)

/** The file's text. */
export const Json = Schema.parseJson(Limits, { space: 2 })

const makeFile = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const read = fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decode(Json)),
    Effect.orElseSucceed((): Limits => ({}))
  )
  const write = (limits: Limits) =>
    Effect.gen(function*() {
      const temporary = `${file}.${(yield* Random.nextIntBetween(0, 36 ** 6)).toString(36)}`
      yield* fs.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
      yield* fs.writeFileString(temporary, yield* Schema.encode(Json)(limits), { mode: 0o600 })
      yield* fs.rename(temporary, file)
    }).pipe(Effect.ignoreLogged)
  return make(read, write)
})

/** One JSON file; one that is damaged counts as empty. */
export const layerFile = (file: string): Layer.Layer<LimitStore, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(LimitStore, makeFile(file))
