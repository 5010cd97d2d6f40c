/**
 * All checks and all tests. The static checks run one after the other beside the build and the tests, which fills two
 * cores.
 * The last line counts tests; a check that fails counts as one that failed.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"

const bin = (name) => path.join("node_modules", ".bin", name)

/** Compilers and tests make much garbage: with a larger nursery a tenth of their time is saved. In MB. */
const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --max-semi-space-size=64` }

const checks = [
  { args: ["scripts/types.mjs"], command: process.execPath, name: "types and Effect diagnostics" },
  { args: ["scripts/style.mjs"], command: process.execPath, name: "style" },
  { args: ["scripts/circular.mjs"], command: process.execPath, name: "import circles" }
]

/** Runs to the end; standard output and error in one text. */
const run = ({ args, command, env: more }) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] })
    const chunks = []
    child.stdout.on("data", (chunk) => chunks.push(chunk))
    child.stderr.on("data", (chunk) => chunks.push(chunk))
    child.on("error", (error) => resolve({ code: 1, output: String(error) }))
    child.on("close", (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString("utf8") }))
  })

const timed = async (step) => {
  const start = performance.now()
  const { code, output } = await run(step)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${code === 0 ? "ok    " : "FAILED"} ${step.name} (${seconds} s)`)
  return { code, output }
}

const runChecks = async () => {
  let failed = 0
  for (const check of checks) {
    const { code, output } = await timed(check)
    if (code === 0) continue
    failed += 1
    console.log(output)
  }
  return { failed, passed: 0 }
}

/** Counts single tests, and files that could not be collected; anything else that failed the run counts as one. */
const count = (report, code) => {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  return { failed: failed === 0 && code !== 0 ? 1 : failed, passed: report.numPassedTests }
}

/**
 * Files of one worker share their modules, which halves the time: loading Effect is most of a small file's.
 * Tests of real processes may be slow on a machine that is busy with the checks.
 */
const vitestOptions = ["--no-isolate", "--maxWorkers=2", "--minWorkers=1", "--testTimeout=60000", "--hookTimeout=60000"]

/**
 * Effect is many small functions: optimized as early, and inlined as far as V8 goes by itself, a tenth of the time is
 * spent on compiling them.
 */
const optimizing = [
  "--interrupt-budget=300000",
  "--max-inlined-bytecode-size=200",
  "--max-inlined-bytecode-size-cumulative=300"
].map((flag) => `--poolOptions.forks.execArgv=${flag}`)

const runTests = async (directory, more) => {
  const file = path.join(directory, "report.json")
  const { code, output } = await timed({
    args: [
      "run",
      ...vitestOptions,
      ...optimizing,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${file}`,
      ...more.args
    ],
    command: bin("vitest"),
    env: more.env,
    name: more.name
  })
  if (code !== 0) console.log(output)
  try {
    return count(JSON.parse(await fs.readFile(file, "utf8")), code)
  } catch (error) {
    console.log(`${output}\nThe test run left no readable report: ${error}`)
    return { failed: 1, passed: 0 }
  }
}

/** Random stories, in numbers that no gate has time for. */
const soak = () => {
  const { WEIR_RUNS = "20000", WEIR_SEED = String(Math.floor(Math.random() * 2 ** 31)) } = process.env
  console.log(`WEIR_RUNS=${WEIR_RUNS} WEIR_SEED=${WEIR_SEED}`)
  return { args: ["packages/agent/test/Laws.test.ts"], env: { WEIR_RUNS, WEIR_SEED }, name: "soak" }
}

const directory = await fs.mkdtemp(path.join(os.tmpdir(), "weir-test-"))
const results = process.argv.includes("--soak")
  ? [await runTests(directory, soak())]
  : await Promise.all([runTests(directory, { args: [], env: {}, name: "tests" }), runChecks()])
await fs.rm(directory, { force: true, recursive: true })

const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
console.log(`${total("passed")} passed, ${total("failed")} failed`)
process.exitCode = total("failed") === 0 ? 0 : 1
