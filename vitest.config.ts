import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * What takes long goes first: at the end it would leave a core with nothing to do. Before the rest of that comes what
 * waits for processes and timers, beside the laws, which never wait.
 */
const long = [
  "cli/test/Kill",
  "agent/test/Laws",
  "cli/test/Weather",
  "cli/test/IdleTimeout",
  "cli/test/Interactive",
  "cli/test/InteractiveLists",
  "cli/test/Start",
  "cli/test/Endurance",
  "cli/test/Hardship",
  "cli/test/KindsOfLoss",
  "cli/test/Kinds",
  "cli/test/Loop",
  "cli/test/Thrift",
  "cli/test/Switching",
  "cli/test/CachedPrefix"
]

const rank = ({ moduleId }: TestSpecification) => {
  const at = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return at < 0 ? long.length : at
}

class LongFirst extends BaseSequencer {
  override sort(files: Array<TestSpecification>) {
    return super.sort(files).then((sorted) => sorted.sort((one, other) => rank(one) - rank(other)))
  }
}

export default defineConfig({ test: { sequence: { sequencer: LongFirst } } })
