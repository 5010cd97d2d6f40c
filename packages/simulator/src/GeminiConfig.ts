/** How a Gemini request wants its reply: the output limit, sampling, thinking. */
import * as Either from "effect/Either"
import * as Errors from "./GeminiError.js"
import type { Read } from "./GeminiFields.js"
import * as Fields from "./GeminiFields.js"
import * as Model from "./GeminiModel.js"
import type { JsonObject } from "./Json.js"
import type { Rules } from "./Wire.js"

const configFields = [
  "candidateCount",
  "enableEnhancedCivicAnswers",
  "frequencyPenalty",
  "imageConfig",
  "logprobs",
  "maxOutputTokens",
  "mediaResolution",
  "presencePenalty",
  "responseJsonSchema",
  "responseLogprobs",
  "responseMimeType",
  "responseModalities",
  "responseSchema",
  "seed",
  "speechConfig",
  "stopSequences",
  "temperature",
  "thinkingConfig",
  "topK",
  "topP"
]

const readMaxOutput = (path: string, value: unknown, { maxOutput }: Rules): Read<number> =>
  Either.flatMap(Fields.integer(path, value), (limit) => {
    if (limit < 1) return Either.left(Errors.at(path, "max_output_tokens must be positive."))
    return limit > maxOutput
      ? Either.left(Errors.invalid(
        `Unable to submit request because it has a maxOutputTokens value of ${limit} but the supported range is from ` +
          `1 (inclusive) to ${maxOutput + 1} (exclusive). Update the value and try again.`
      ))
      : Either.right(limit)
  })

const checkRange = (path: string, name: string, config: JsonObject, most: number): Read<void> =>
  Either.flatMap(Fields.optional(Fields.join(path, name), config[name], Fields.float), (value) => {
    if (value === undefined || (value >= 0 && value <= most)) return Either.void
    const at = Fields.join(path, name)
    const field = at.slice(at.lastIndexOf(".") + 1)
    return Either.left(Errors.at(at, `${field} must be in the range [0.0, ${most.toFixed(1)}].`))
  })

const checkBudget = (budget: number, { budget: rule, levels }: Model.ThinkingRules): Read<void> => {
  if (levels !== undefined || budget === -1) return Either.void
  if (rule === undefined) {
    return Either.left(Errors.invalid("Thinking is not enabled for this model."))
  }
  if (budget === 0) {
    return rule.canBeOff
      ? Either.void
      : Either.left(Errors.invalid("Budget 0 is invalid. This model only works in thinking mode."))
  }
  return budget >= rule.least && budget <= rule.most ? Either.void : Either.left(Errors.invalid(
    `The thinking budget ${budget} is invalid. Please choose a value between ${rule.least} and ${rule.most}.`
  ))
}

const everyLevel = ["THINKING_LEVEL_UNSPECIFIED", "MINIMAL", "LOW", "MEDIUM", "HIGH"]

const checkThinking = (path: string, value: unknown, model: string): Read<void> =>
  Either.gen(function*() {
    const rules = Model.thinking(model)
    const config = yield* Fields.message(path, value, "ThinkingConfig", [
      "includeThoughts",
      "thinkingBudget",
      "thinkingLevel"
    ])
    yield* Fields.optional(Fields.join(path, "includeThoughts"), config.includeThoughts, Fields.boolean)
    const budget = yield* Fields.optional(Fields.join(path, "thinkingBudget"), config.thinkingBudget, Fields.integer)
    const level = yield* Fields.optional(Fields.join(path, "thinkingLevel"), config.thinkingLevel, (at, given) =>
      Fields.literal(at, given, "ThinkingConfig.ThinkingLevel", everyLevel))
    if (budget !== undefined && level !== undefined) {
      yield* Either.left(Errors.invalid("You can only set only one of thinking budget and thinking level."))
    }
    if (level !== undefined && rules.levels === undefined) {
      yield* Either.left(Errors.invalid("Thinking level is not supported for this model."))
    }
    if (level !== undefined && rules.levels?.includes(level) === false) {
      yield* Either.left(Errors.invalid(`Thinking level ${level} is not supported for this model.`))
    }
    if (budget !== undefined) {
      yield* checkBudget(budget, rules)
    }
  })

/** The output limit, in tokens. */
export const readConfig = (path: string, value: unknown, model: string, rules: Rules): Read<number | undefined> =>
  Either.gen(function*() {
    if (value === undefined) return undefined
    const config = yield* Fields.message(path, value, "GenerationConfig", configFields)
    yield* checkRange(path, "temperature", config, 2)
    yield* checkRange(path, "topP", config, 1)
    yield* Fields.each(Fields.join(path, "stopSequences"), config.stopSequences, Fields.string)
    yield* Fields.optional(
      Fields.join(path, "thinkingConfig"),
      config.thinkingConfig,
      (at, given) => checkThinking(at, given, model)
    )
    return yield* Fields.optional(
      Fields.join(path, "maxOutputTokens"),
      config.maxOutputTokens,
      (at, given) => readMaxOutput(at, given, rules)
    )
  })
