/** How this model counts: two tokens for seven characters, about what code costs elsewhere. */
export const count = (text: string): number => Math.ceil(text.length * 2 / 7)

/** The longest beginning of a text that is no more than `tokens` tokens and splits no character. */
export const cut = (text: string, tokens: number): string => {
  if (count(text) <= tokens) return text
  const end = Math.max(0, Math.floor(tokens * 7 / 2))
  const last = text.charCodeAt(end - 1)
  return text.slice(0, last >= 0xD800 && last <= 0xDBFF ? end - 1 : end)
}
