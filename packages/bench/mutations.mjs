/**
 * Shows that the tests bite: breaks the sources, one rule at a time, in a copy of the packages, and runs the tests that
 * must notice. Prints one line a mutation; the exit code says whether all were caught. Tests that go round in circles
 * are ended after four times what the sources as they are take, and WEIR_LIMIT seconds at least, 60 unless set; that is
 * told apart. A text that a mutation no longer finds is an error. Usage: node packages/bench/mutations.mjs [words of a mutation's name]
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))

const child = "packages/compaction/test/Interruptible.test.ts"
const matrix = "packages/agent/test/FiberMatrix.test.ts"
const compaction = "packages/agent/test/AutoCompaction.test.ts"
const laws = "packages/agent/test/Laws.test.ts"

const interruptible = "packages/compaction/src/Interruptible.ts"
const run = "packages/agent/src/CompactionRun.ts"

/** `from` stands exactly once in the file. */
const mutations = [
  {
    name: "the turn's interruption does not reach the child",
    file: interruptible,
    from: ".pipe(Effect.onInterrupt(() => Fiber.interrupt(fiber)))",
    to: "",
    tests: [matrix]
  },
  {
    name: "the child does not wait behind its latch",
    file: interruptible,
    from: "gate.whenOpen(effect)",
    to: "effect",
    tests: [child]
  },
  {
    name: "Esc is taken for a failure of the child",
    file: interruptible,
    from: "if (Cause.isInterruptedOnly(exit.cause)) return Option.none<A>()",
    to: "",
    tests: [matrix]
  },
  {
    name: "the child's interruption is raised again in the turn",
    file: interruptible,
    from: "restore(Fiber.await(fiber))",
    to: "restore(Effect.map(Fiber.join(fiber), Exit.succeed))",
    tests: [matrix]
  },
  {
    name: "the summary cannot be interrupted",
    file: run,
    from: "restore(interruptible(handle, begin)(child))",
    to: "interruptible(handle, begin)(child)",
    tests: [matrix]
  },
  {
    name: "Esc during the append ends the turn",
    file: run,
    from: "return current !== \"idle\"",
    to: "return current === \"running\"",
    tests: [matrix]
  },
  {
    name: "a cancel is forgotten",
    file: run,
    from: "          yield* conversation.suppress\n          return yield* finish(yield* cancelled(attempt))",
    to: "          return yield* finish(yield* cancelled(attempt))",
    tests: ["packages/agent/test/ManualCompaction.test.ts"]
  },
  {
    name: "an applied compaction is counted where an interruption can come first",
    file: run,
    from: "yield* count(end)\n          yield* publish",
    to: "yield* publish",
    tests: [matrix]
  },
  {
    name: "memory changes before the record is written",
    file: "packages/agent/src/LiveConversation.ts",
    from: "      transcript.append(batch, options).pipe(\n" +
      "        Effect.flatMap((recorded) => Ref.update(ref, (live) => recorded.reduce(advance, live))),",
    to: "      Ref.update(ref, (live) => batch.reduce(advance, live)).pipe(\n" +
      "        Effect.zipRight(Effect.asVoid(transcript.append(batch, options))),",
    tests: [laws]
  },
  {
    name: "a refused request is sent again",
    file: "packages/compaction/src/Decide.ts",
    from: "    when: \"refused otherwise\",\n    holds: refused,\n    action: \"End\",",
    to: "    when: \"refused otherwise\",\n    holds: refused,\n    action: \"Send\",",
    tests: [laws]
  },
  {
    name: "a refused pruned copy is sent again",
    file: "packages/agent/src/Boundary.ts",
    from: "replaced > refusals.pruned",
    to: "replaced > 0",
    tests: [laws]
  },
  {
    name: "a model request outlives its turn",
    file: "packages/agent/src/Watchdog.ts",
    from: "firstOf<A, E | ModelUnavailable, R>(request, silence(timeout))",
    to: "Effect.raceFirst(request, silence(timeout))",
    tests: [laws]
  },
  {
    name: "the breaker never opens",
    file: "packages/compaction/src/Gate.ts",
    from: "self.failures < maxFailures && ",
    to: "",
    tests: [compaction]
  },
  {
    name: "a context error is retried like a passing one",
    file: "packages/agent/src/Retry.ts",
    from: "if (error._tag !== \"ModelUnavailable\") return Effect.succeed(false)",
    to: "if (error._tag !== \"ModelUnavailable\") return Effect.succeed(true)",
    tests: [matrix]
  },
  {
    name: "a step too many is cut away",
    file: "packages/compaction/src/Projection.ts",
    from: "return { ...turn, steps: turn.steps.slice(steps) }",
    to: "return { ...turn, steps: turn.steps.slice(steps + 1) }",
    tests: ["packages/compaction/test/Projection.test.ts", "packages/compaction/test/Plan.test.ts"]
  }
]

/** The packages with their links; what is installed stays where it is. */
const copy = async (to) => {
  const isKept = (source) => !["dist", ".cache"].includes(path.basename(source))
  await fs.cp(path.join(root, "packages"), path.join(to, "packages"), {
    filter: isKept,
    recursive: true,
    verbatimSymlinks: true
  })
  await fs.symlink(path.join(root, "node_modules"), path.join(to, "node_modules"))
  for (const name of ["package.json", "tsconfig.base.json", "tsconfig.json"]) {
    await fs.copyFile(path.join(root, name), path.join(to, name))
  }
  // The command is not built: no test that is run here needs it.
  const config = "export default { test: { include: [\"packages/**/test/**/*.test.ts\"] } }\n"
  await fs.writeFile(path.join(to, "vitest.config.mjs"), config)
}

const failures = (
  output
) => [...new Set(output.split("\n").flatMap((line) => /^ *FAIL .*? > (.*)$/.exec(line)?.[1] ?? []))]

const least = Number(process.env.WEIR_LIMIT ?? 60)

/** One process, so that nothing of it outlives the limit. */
const test = (directory, tests, limit) =>
  new Promise((resolve) => {
    const running = spawn(
      path.join(root, "node_modules/.bin/vitest"),
      ["run", "--no-color", "--pool=threads", "--bail=1", "--testTimeout=20000", ...tests],
      {
        cwd: directory,
        env: { ...process.env, WEIR_RUNS: process.env.WEIR_RUNS ?? "500" },
        killSignal: "SIGKILL",
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 1_000 * limit
      }
    )
    const chunks = []
    for (const stream of [running.stdout, running.stderr]) stream.on("data", (chunk) => chunks.push(chunk))
    running.on("close", (status, signal) => resolve({ output: Buffer.concat(chunks).toString("utf8"), signal, status }))
  })

const limits = new Map()

/** In seconds. The sources as they are pass. */
const limitOf = async (directory, tests) => {
  const key = tests.join(" ")
  if (limits.has(key)) return limits.get(key)
  const started = performance.now()
  const { output, status } = await test(directory, tests, 3_600)
  if (status !== 0) throw new Error(`these tests fail with nothing broken:\n${output}`)
  const limit = Math.max(least, Math.ceil(4 * (performance.now() - started) / 1_000))
  limits.set(key, limit)
  return limit
}

const attempt = async (directory, { file, from, name, tests, to }) => {
  const target = path.join(directory, file)
  const source = await fs.readFile(target, "utf8")
  if (source.split(from).length !== 2) throw new Error(`${name}: ${file} does not hold this text once:\n${from}`)
  const limit = await limitOf(directory, tests)
  await fs.writeFile(target, source.replace(from, () => to))
  const { output, signal, status } = await test(directory, tests, limit)
  await fs.writeFile(target, source)
  if (signal === "SIGKILL") return { titles: [], verdict: `caught: did not end in ${limit} s` }
  const titles = status === 0 ? [] : failures(output)
  if (status !== 0 && titles.length === 0) throw new Error(`${name}: the tests did not run:\n${output}`)
  return { titles, verdict: status === 0 ? "MISSED" : "caught" }
}

const wanted = process.argv.slice(2).join(" ")
const directory = await fs.mkdtemp(path.join(os.tmpdir(), "weir-mutations-"))
await copy(directory)
let missed = 0
for (const mutation of mutations.filter(({ name }) => name.includes(wanted))) {
  const started = performance.now()
  const { titles, verdict } = await attempt(directory, mutation)
  if (verdict === "MISSED") missed += 1
  console.log(`${verdict}  ${mutation.name} (${Math.round((performance.now() - started) / 1_000)} s)`)
  for (const title of titles.slice(0, 3)) console.log(`          ${title}`)
}
await fs.rm(directory, { force: true, recursive: true })
console.log(missed === 0 ? "all caught" : `${missed} missed`)
process.exitCode = missed === 0 ? 0 : 1
