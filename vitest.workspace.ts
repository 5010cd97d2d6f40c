import { defineWorkspace } from "vitest/config"

export default defineWorkspace(["packages/!(providers)", "packages/providers/*"])
