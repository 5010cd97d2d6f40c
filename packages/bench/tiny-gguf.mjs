/**
 * Writes a GGUF model of under 1 MB: llama architecture, random weights, a byte-fallback vocabulary. It says random
 * words and stops after some of them, which is all that a check of a real server's protocol and limits needs.
 *
 *     node tiny-gguf.mjs FILE
 */
import { writeFileSync } from "node:fs"

const width = 64
const layers = 2
const feedForward = 128
const context = 32_768

/** Seeded (mulberry32), so that every file is the same. */
let seed = 42
const random = () => {
  seed = (seed + 0x6D2B79F5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

const syllables = [
  "ba",
  "co",
  "di",
  "fu",
  "ge",
  "ha",
  "ji",
  "ko",
  "lu",
  "me",
  "ni",
  "po",
  "qua",
  "ra",
  "so",
  "tu",
  "vi",
  "we",
  "xo"
]
const words = syllables.flatMap((first) => syllables.map((second) => `▁${first}${second}`))
const kinds = { byte: 6, control: 3, normal: 1, unknown: 2 }
const vocabulary = [
  ["<unk>", kinds.unknown],
  ["<s>", kinds.control],
  ["</s>", kinds.control],
  ...Array.from({ length: 256 }, (_, byte) => [`<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`, kinds.byte]),
  ...words.map((word) => [word, kinds.normal])
]
const stop = 2

/** Hidden dimension 0 is the same for every token; the output matrix reads it as each token's bias. */
const bias = (token) => token >= 259 ? 6 : token === stop ? 7.3 : -30

const u32 = (value) => {
  const b = Buffer.alloc(4)
  b.writeUInt32LE(value)
  return b
}
const u64 = (value) => {
  const b = Buffer.alloc(8)
  b.writeBigUInt64LE(BigInt(value))
  return b
}
const f32 = (value) => {
  const b = Buffer.alloc(4)
  b.writeFloatLE(value)
  return b
}
const text = (value) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
const list = (type, values, write) => Buffer.concat([u32(type), u64(values.length), ...values.map(write)])

const types = { array: 9, f32: 6, i32: 5, string: 8, u32: 4 }
const metadata = [
  ["general.architecture", types.string, text("llama")],
  ["general.name", types.string, text("tiny")],
  ["llama.context_length", types.u32, u32(context)],
  ["llama.embedding_length", types.u32, u32(width)],
  ["llama.block_count", types.u32, u32(layers)],
  ["llama.feed_forward_length", types.u32, u32(feedForward)],
  ["llama.attention.head_count", types.u32, u32(4)],
  ["llama.attention.head_count_kv", types.u32, u32(4)],
  ["llama.attention.layer_norm_rms_epsilon", types.f32, f32(1e-5)],
  ["llama.rope.dimension_count", types.u32, u32(width / 4)],
  ["tokenizer.ggml.model", types.string, text("llama")],
  ["tokenizer.ggml.tokens", types.array, list(types.string, vocabulary, ([token]) => text(token))],
  ["tokenizer.ggml.scores", types.array, list(types.f32, vocabulary, () => f32(0))],
  ["tokenizer.ggml.token_type", types.array, list(types.i32, vocabulary, ([, kind]) => u32(kind))],
  ["tokenizer.ggml.bos_token_id", types.u32, u32(1)],
  ["tokenizer.ggml.eos_token_id", types.u32, u32(stop)],
  ["tokenizer.ggml.unknown_token_id", types.u32, u32(0)],
  [
    "tokenizer.chat_template",
    types.string,
    text(
      "{% for message in messages %}{{ message.role + ': ' + message.content + '\\n' }}{% endfor %}assistant:"
    )
  ]
]

const noise = (scale) => () => scale * gauss()
const ones = () => 1
const perLayer = (layer) => [
  [`blk.${layer}.attn_norm.weight`, [width], ones],
  ...["q", "k", "v", "output"].map((part) => [`blk.${layer}.attn_${part}.weight`, [width, width], noise(0.02)]),
  [`blk.${layer}.ffn_norm.weight`, [width], ones],
  [`blk.${layer}.ffn_gate.weight`, [width, feedForward], noise(0.02)],
  [`blk.${layer}.ffn_up.weight`, [width, feedForward], noise(0.02)],
  [`blk.${layer}.ffn_down.weight`, [feedForward, width], noise(0.02)]
]
const tensors = [
  ["token_embd.weight", [width, vocabulary.length], (index) => index % width === 0 ? 4 : 0.5 * gauss()],
  ...Array.from({ length: layers }, (_, layer) => perLayer(layer)).flat(),
  ["output_norm.weight", [width], ones],
  [
    "output.weight",
    [width, vocabulary.length],
    (index) => index % width === 0 ? bias(Math.floor(index / width)) / 6 : 0.1 * gauss()
  ]
]

const align = (length) => Math.ceil(length / 32) * 32
const padded = (bytes) => Buffer.concat([bytes, Buffer.alloc(align(bytes.length) - bytes.length)])
const data = tensors.map(([, shape, value]) =>
  padded(Buffer.from(Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, index) => value(index)).buffer))
)
let offset = 0
const infos = tensors.map(([name, shape], index) => {
  const info = Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset)])
  offset += data[index].length
  return info
})
const head = Buffer.concat([
  Buffer.from("GGUF"),
  u32(3),
  u64(tensors.length),
  u64(metadata.length),
  ...metadata.map(([key, type, value]) => Buffer.concat([text(key), u32(type), value])),
  ...infos
])
const [file] = process.argv.slice(2)
if (!file) {
  console.error("Name the file to write: node tiny-gguf.mjs FILE")
  process.exit(2)
}
writeFileSync(file, Buffer.concat([padded(head), ...data]))
