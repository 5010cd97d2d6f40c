import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** They run one thing after the other, for long: at the end they would leave a core with nothing to do. */
const long = ["cli/test/Kill", "agent/test/Laws", "cli/test/Weather", "cli/test/Endurance"]

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
