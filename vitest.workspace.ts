import { defineWorkspace } from "vitest/config"

/** A project has its own workers. More than these would load Effect again, and wait for the last file of the one before. */
export default defineWorkspace([
  {
    test: {
      exclude: ["packages/simulator/**", "**/node_modules/**"],
      globalSetup: ["packages/cli/test/Bundle.ts"],
      include: ["packages/**/test/**/*.test.ts"],
      name: "weir",
      testTimeout: 30_000
    }
  },
  // Its `it.layer` leaves its clock to every file that its worker runs after it.
  { test: { include: ["packages/simulator/test/**/*.test.ts"], name: "simulator" } }
])
