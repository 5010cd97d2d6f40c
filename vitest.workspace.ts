import { defineWorkspace } from "vitest/config"

/** One project: another would have workers of its own, which load Effect again. */
export default defineWorkspace([
  {
    test: {
      globalSetup: ["packages/cli/test/Bundle.ts"],
      include: ["packages/**/test/**/*.test.ts"],
      // Tests that run side by side mostly wait: as many as hide that.
      maxConcurrency: 7,
      name: "weir",
      testTimeout: 30_000
    }
  }
])
