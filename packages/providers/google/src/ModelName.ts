/** What the name of a model tells about it. */

/** The generation in a name such as `gemini-2.5-pro`; for any other name, that of the newest models. */
export const generation = (model: string): number => Number(/gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? Infinity)

/** From the third generation on, calls must be signed, and their results may hold images. */
export const isThird = (model: string): boolean => generation(model) >= 3
