/** `npm run check`: all that is fast. Prints what fails and exits with 1 if anything did. */
import { spawnSync } from 'node:child_process'

const STEPS: [string, string[]][] = [
  ['biome', ['ci', '--error-on-warnings', '.']],
  ['astro', ['sync', '--silent']],
  ['tsc', ['--noEmit', '-p', '.']],
  ['depcruise', ['--config', '.dependency-cruiser.cjs', 'src', 'server', 'scripts']],
  ['knip', ['--no-progress', '--no-config-hints']],
]

let failed = false
for (const [command, args] of STEPS) {
  const started = performance.now()
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${command}`, args, {
    encoding: 'utf8',
    env: {
      ...process.env,
      ASTRO_TELEMETRY_DISABLED: '1',
      PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH']}`,
    },
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stderr.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${command} ${args[0]} (${seconds} s)\n`)
  if (status !== 0) {
    failed = true
    process.stderr.write(`${stdout}\n${stderr}\n`)
  }
}
process.exit(failed ? 1 : 0)
