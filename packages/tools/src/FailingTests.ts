/** The names of failed tests in the output of test runners that are known: Vitest, Jest, pytest, Go, Cargo, TAP. */

const patterns: ReadonlyArray<RegExp> = [
  // Vitest: ` FAIL  test/a.test.ts > group > name`
  /^\s*FAIL\s+(\S.* > .*\S)\s*$/,
  // Jest: `  ● group › name`
  /^\s*● (\S.* › .*\S)\s*$/,
  // pytest: `FAILED tests/test_a.py::test_name - AssertionError`
  /^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$/,
  // Go: `--- FAIL: TestName (0.00s)`
  /^\s*--- FAIL: (\S+) \(/,
  // Cargo: `test module::name ... FAILED`
  /^test (\S+) \.\.\. FAILED$/,
  // TAP, as Node's own runner writes it: `not ok 3 - name`
  /^\s*not ok \d+ - (.*\S)\s*$/
]

const most = 50

const nameIn = (line: string): ReadonlyArray<string> => {
  const text = line.trimEnd()
  // The longest names are short; what is longer is not the line of a test.
  if (text.length > 1_000) return []
  return patterns.flatMap((pattern) => pattern.exec(text)?.[1] ?? []).slice(0, 1)
}

/** Each name once, in the order of the output. */
export const find = (output: string): ReadonlyArray<string> =>
  [...new Set(output.split("\n").flatMap(nameIn))].slice(0, most)
