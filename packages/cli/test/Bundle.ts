/** Builds the bundle once before the package's tests, which run it as a real process. */
// @effect-diagnostics nodeBuiltinImport:off
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

export const setup = () => {
  execFileSync(process.execPath, [fileURLToPath(new URL("../build.mjs", import.meta.url))], { stdio: "inherit" })
}
