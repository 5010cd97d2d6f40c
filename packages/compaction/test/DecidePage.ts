/** The table of decisions as the README shows it. */
import { rows } from "@weir/compaction/Decide"

const cell = (text: string) => text.replaceAll("|", "\\|")

export const table = [
  "| | when | then | because |",
  "|---|---|---|---|",
  ...rows.map(({ action, because, when }, index) =>
    `| ${index + 1} | ${cell(when)} | \`${action}\` | ${cell(because)} |`
  )
].join("\n")
