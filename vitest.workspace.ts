import { defineWorkspace } from "vitest/config"

/** One project for all packages: each of its own would load Effect anew, and wait for the last of the one before. */
export default defineWorkspace([{
  test: {
    globalSetup: ["packages/cli/test/Bundle.ts"],
    include: ["packages/**/test/**/*.test.ts"],
    name: "weir",
    testTimeout: 30_000
  }
}])
