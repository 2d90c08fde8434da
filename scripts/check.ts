/**
 * `npm run check`: runs all fast checks. Prints the output of the checks that fail. Exits with 1 if a check fails.
 * `--without-house-tests` leaves out the house tests, because `npm test` runs them with its other tests.
 */
import { type LaneStep, runLanes } from './command-lanes.ts'

/**
 * The native compiler takes a quarter of the time of the package `typescript`. Other tools still load that
 * package.
 */
const TYPE_CHECKER_PROGRAM = 'node_modules/typescript-native/bin/tsc'

const HOUSE_TESTS_STEP: LaneStep = {
  name: 'house tests',
  command: 'vitest',
  args: ['run', '--project=sqlite', 'tests/house'],
  env: { NO_COLOR: '1' },
}

const stepResults = await runLanes([
  [
    { name: 'generate types of the site', command: 'astro', args: ['sync', '--silent'] },
    {
      name: 'types',
      command: process.execPath,
      args: [TYPE_CHECKER_PROGRAM, '--noEmit', '--checkers', '1', '-p', '.'],
    },
    { name: 'format and lint', command: 'biome', args: ['ci', '--error-on-warnings', '.'] },
    {
      name: 'import rules',
      command: 'depcruise',
      args: ['--config', '.dependency-cruiser.cjs', 'src', 'server', 'scripts'],
    },
    { name: 'unused code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
  ],
  [
    {
      name: 'build of the site',
      command: process.execPath,
      args: [
        '-e',
        "import('./scripts/site-build.mjs').then((module) => module.buildSiteIfNeeded(process.execPath))",
      ],
    },
    { name: 'size budgets', command: 'size-limit', args: [] },
    ...(process.argv.includes('--without-house-tests') ? [] : [HOUSE_TESTS_STEP]),
  ],
])
process.exit(stepResults.every(({ isOk }) => isOk) ? 0 : 1)
