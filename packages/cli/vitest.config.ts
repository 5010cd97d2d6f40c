import { defineProject } from "vitest/config"

export default defineProject({
  test: { globalSetup: ["test/Bundle.ts"], name: "@weir/cli", testTimeout: 30_000 }
})
