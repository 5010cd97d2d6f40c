/** The texts of a record that may be large: tool outputs and images. */
import type { Projection } from "@weir/compaction/Projection"
import type { Image, Step, ToolResult, UserMessage } from "@weir/model/Conversation"
import * as Effect from "effect/Effect"
import type { Record } from "./Record.js"

type Kind = "output" | "image"

const inImages = (images: ReadonlyArray<Image>, is: (text: string, kind: Kind) => boolean) =>
  images.some(({ data }) => is(data, "image"))

const inStep = ({ parts }: Step, is: (text: string, kind: Kind) => boolean) =>
  parts.some((part) => part._tag === "Exchange" && (is(part.result.text, "output") || inImages(part.result.images, is)))

/** Whether any of a record's is so. */
export const some = (record: Record, is: (text: string, kind: Kind) => boolean): boolean => {
  switch (record._tag) {
    case "TurnStarted":
      return inImages(record.user.images, is)
    case "StepCompleted":
      return inStep(record.step, is)
    case "StepInterrupted":
      return record.step !== undefined && inStep(record.step, is)
    default:
      return false
  }
}

/** What becomes of one of them. */
export type Change<E, R> = (text: string, kind: Kind) => Effect.Effect<string, E, R>

const mapImages = <E, R>(images: ReadonlyArray<Image>, change: Change<E, R>) =>
  Effect.forEach(images, (image) => Effect.map(change(image.data, "image"), (data) => ({ ...image, data })))

const mapResult = <E, R>(result: ToolResult, change: Change<E, R>) =>
  Effect.zipWith(
    change(result.text, "output"),
    mapImages(result.images, change),
    (text, images): ToolResult => ({ ...result, text, images })
  )

const mapPart = <E, R>(part: Step["parts"][number], change: Change<E, R>): Effect.Effect<typeof part, E, R> =>
  part._tag === "Exchange"
    ? Effect.map(mapResult(part.result, change), (result) => ({ ...part, result }))
    : Effect.succeed(part)

const mapStep = <E, R>(step: Step, change: Change<E, R>): Effect.Effect<Step, E, R> =>
  step.parts.some((part) => part._tag === "Exchange")
    ? Effect.map(Effect.forEach(step.parts, (part) => mapPart(part, change)), (parts) => ({ ...step, parts }))
    : Effect.succeed(step)

const mapUser = <E, R>(user: UserMessage, change: Change<E, R>): Effect.Effect<UserMessage, E, R> =>
  user.images.length === 0
    ? Effect.succeed(user)
    : Effect.map(mapImages(user.images, change), (images) => ({ ...user, images }))

export const mapRecord = <E, R>(record: Record, change: Change<E, R>): Effect.Effect<Record, E, R> => {
  switch (record._tag) {
    case "TurnStarted":
      return Effect.map(mapUser(record.user, change), (user) => ({ ...record, user }))
    case "StepCompleted":
      return Effect.map(mapStep(record.step, change), (step) => ({ ...record, step }))
    case "StepInterrupted":
      return record.step
        ? Effect.map(mapStep(record.step, change), (step) => ({ ...record, step }))
        : Effect.succeed(record)
    default:
      return Effect.succeed(record)
  }
}

export const mapProjection = <E, R>(self: Projection, change: Change<E, R>): Effect.Effect<Projection, E, R> =>
  Effect.gen(function*() {
    const turns = yield* Effect.forEach(self.turns, (turn) =>
      Effect.zipWith(
        mapUser(turn.user, change),
        Effect.forEach(turn.steps, (step) => mapStep(step, change)),
        (user, steps) => ({ ...turn, user, steps })
      ))
    return { ...self, turns, ...(self.unread && { unread: yield* mapStep(self.unread, change) }) }
  })
