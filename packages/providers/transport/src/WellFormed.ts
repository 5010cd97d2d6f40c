/** Texts that were cut in the middle of a character, as program output may be. No API accepts such halves. */

/** The text with every lone half of a surrogate pair replaced. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD")
