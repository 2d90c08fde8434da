/** `npm test`: installs packages if needed and runs every check and test. Ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process'
import { install, PINNED_NODE } from './install.mjs'

install()
const { status } = spawnSync(PINNED_NODE, ['scripts/run-tests.ts'], { stdio: 'inherit' })
process.exit(status ?? 1)
