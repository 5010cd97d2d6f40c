/** What the name of a Gemini model tells about it. */

/** The generation in a name such as `gemini-2.5-pro`; for any other name, that of the newest models. */
const generation = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? Infinity)

/** From the third generation on: calls have ids, must be signed, and their results may hold images. */
export const isThird = (model: string): boolean => generation(model) >= 3

/** How a model is asked to think. */
export interface ThinkingRules {
  /** In tokens, unless levels are to be used. */
  readonly budget?: { readonly least: number; readonly most: number; readonly canBeOff: boolean }
  readonly levels?: ReadonlyArray<string>
}

/** Nothing for a model that does not think. */
export const thinking = (model: string): ThinkingRules => {
  const number = generation(model)
  if (number >= 3) {
    const hasLowest = /flash-lite/.test(model) || (/flash/.test(model) && number < 3.7)
    return { levels: [...(hasLowest ? ["MINIMAL"] : []), "LOW", "MEDIUM", "HIGH"] }
  }
  if (number < 2.5) return {}
  if (/pro/.test(model)) return { budget: { canBeOff: false, least: 128, most: 32_768 } }
  return { budget: { canBeOff: true, least: /lite/.test(model) ? 512 : 1, most: 24_576 } }
}
