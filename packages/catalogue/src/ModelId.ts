/** Forms of one model's id. */
import * as Option from "effect/Option"

/** What an id may have around the model's name, in the order in which it is taken off. */
const around: ReadonlyArray<RegExp> = [
  // Fine-tuned at OpenAI: ft:gpt-4.1-mini-2025-04-14:team::abc
  /^ft:/,
  /(?<=^gpt-[^:]*):[^:]*:.*$/,
  // Bedrock: arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-6-v1
  /^arn:.*\//,
  /^(us-gov|us|eu|apac|ap|global|jp|au|ca|sa)\./,
  /-v\d+:\d+$|-v1$/,
  // OpenRouter: vendor/model:nitro
  /:[a-z]+$/,
  /[-@](\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4})$/,
  /-latest$/
]

const bare = (id: string) => around.reduce((left, pattern) => left.replace(pattern, ""), id)

/** `anthropic/claude-opus-5`, `models/gemini-2.5-pro` */
const vendor = /^.*\//

/** Which of the known ids is meant: the id itself, else the plainest form of the same model. */
export const find = (id: string, known: ReadonlyArray<string>): Option.Option<string> => {
  if (known.includes(id)) return Option.some(id)
  const plain = bare(id)
  const forms = new Set([plain, plain.replace(vendor, "")])
  const [nearest] = known.filter((candidate) => forms.has(bare(candidate))).sort((a, b) => a.length - b.length)
  return Option.fromNullable(nearest)
}
