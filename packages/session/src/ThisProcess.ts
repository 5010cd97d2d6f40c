/** Who holds a lock: this process among all others of this machine. The one file here that asks the process itself. */
// @effect-diagnostics nodeBuiltinImport:off
import * as Context from "effect/Context"
import * as os from "node:os"

const isRunning = (pid: number): boolean => {
  try {
    // Sends nothing; fails when there is nobody to send it to.
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process cannot be signalled, but is there.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

export class ThisProcess extends Context.Reference<ThisProcess>()("@weir/session/ThisProcess", {
  defaultValue: () => ({ host: os.hostname(), isRunning, pid: process.pid })
}) {}
