/** Calls TypeScript's native compiler, the build that has the Effect language service inside, on the whole workspace. */
import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

const file = () => {
  const binaries = `@effect/tsgo-${process.platform}-${process.arch}`
  const service = createRequire(import.meta.url).resolve("@effect/tsgo/package.json")
  try {
    return path.join(path.dirname(createRequire(service).resolve(`${binaries}/package.json`)), "lib", "tsc")
  } catch {
    throw new Error(
      `The compiler for this platform, ${binaries}, is not installed: without it, neither types nor import circles ` +
        "can be checked. `npx pnpm update @effect/tsgo` adds it where the registry has such a package."
    )
  }
}

/** The heap of one pass is little more than what it holds at the end: collecting it would cost a third of the time. */
const memory = { GOGC: "off", GOMEMLIMIT: "2GiB" }

/** `stdout` is as in spawnSync's `stdio`: shown with "inherit", returned with "pipe". */
export const compile = (args, stdout) => {
  const { error, status, stdout: output } = spawnSync(file(), ["-p", "tsconfig.json", "--singleThreaded", ...args], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    encoding: "utf8",
    env: { ...memory, ...process.env },
    maxBuffer: Infinity,
    stdio: ["ignore", stdout, "inherit"]
  })
  if (error !== undefined) throw error
  return { output, status: status ?? 1 }
}
