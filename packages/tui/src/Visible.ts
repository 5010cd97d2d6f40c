/** Foreign text for a terminal: what would steer it, or reorder what is read, is shown instead of obeyed. */

/** Controls but line breaks and tabs, half characters, line separators, and what overrides the direction of text. */
const controls =
  /(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Line breaks and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(controls, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return "\u2421"
    return code < 0x100 ? `\\x${code.toString(16)}` : `\\u${code.toString(16)}`
  })

/** The same on one line, each run of white space one space. */
export const visibleLine = (text: string): string => visible(text.replaceAll(/\s+/g, " ").trim())
