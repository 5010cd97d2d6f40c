/** Brings the bundle up to date before the tests, some of which run it as a real process. */
// @effect-diagnostics nodeBuiltinImport:off
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

export const setup = () => {
  execFileSync("bash", [fileURLToPath(new URL("../../../scripts/setup", import.meta.url))], { stdio: "inherit" })
}
