/** A session as Markdown. */
import * as Overview from "./Overview.js"
import type { Stored } from "./SessionStore.js"
import * as Story from "./Story.js"

/** A fence longer than any in the text. */
const fenced = (text: string, language = ""): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

const quoted = (text: string): string => text.split("\n").map((line) => `> ${line}`.trimEnd()).join("\n")

const item = Story.Item.$match({
  User: ({ images, text }) => `## User\n\n${[text, ...images.map(() => "*(an image)*")].join("\n\n")}`,
  Text: ({ text }) => text,
  Reasoning: ({ text }) => quoted(text),
  Tool: ({ call, result }) =>
    `**${call.name}**${result.isError ? " (failed)" : ""}\n\n${fenced(call.arguments, "json")}\n\n${
      fenced(result.text)
    }`,
  Notice: ({ text }) => `*${text}*`
})

export const render = ({ records, start }: Stored): string => {
  const { model = start.model, provider = start.provider, title } = records.reduce(Overview.append, Overview.empty)
  const head = `# ${
    title === "" ? start.id : title
  }\n\nSession ${start.id}, ${model} (${provider}) in \`${start.cwd}\`.`
  return `${[head, ...Story.items(records).map((one) => item(one))].join("\n\n")}\n`
}
