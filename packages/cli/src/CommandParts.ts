/** The commands that a shell command is made of, for rules that deny: what is meant, not what a shell would parse. */

/** Where one command ends and another begins, or runs inside it. */
const seams = /[;&|\n()`{}]+|\$\(/

/** Options of those, with the values that some have. */
const options = String.raw`(?:\s+-[ug]\s+[^\s-]\S*|\s+-(?![ug]\s+[^\s-])\S+|\s+[\d.]+[smhd]?(?=\s))`

/** What may stand before the command that is meant, with its options. */
const carrier = new RegExp(
  [
    String.raw`[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S)*`,
    "!|if|then|elif|else|while|until|do",
    `(?:sudo|doas|env|command|builtin|exec|nohup|nice|time|timeout|xargs|setsid)${options}*`,
    String.raw`(?:\S*/)?(?:ba|da|z|k)?sh\s+-\w*c`
  ].map((one) => `(?:${one})`).join("|")
    .replace(/^/, String.raw`^(?:`) + String.raw`)\s+['"]?`
)

/** The same command as it would be written alone, at each step of laying it bare. */
const bare = (part: string): ReadonlyArray<string> => {
  const steps: Array<string> = []
  for (let text = part.trim();;) {
    const named = text.replace(/^\\|^\S*\/(?=[\w.-]+(?:\s|$))/, "")
    steps.push(text, named, named.replaceAll(/\s+/g, " "), named.replace(/['"]$/, ""))
    const rest = named.replace(carrier, "").trim()
    if (rest === named) return steps
    text = rest
  }
}

export const of = (command: string): ReadonlyArray<string> => command.replaceAll("\\\n", " ").split(seams).flatMap(bare)

/** Nothing that a shell would make more of than words. */
export const isPlain = (command: string): boolean => command.trim().split(seams).length === 1 && !/[<>]/.test(command)
