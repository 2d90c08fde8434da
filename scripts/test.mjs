/** `npm test`: installs packages if needed and runs every check and test. Ends with `N passed, N failed`. */
import { spawnSync } from 'node:child_process'
import { COMPILE_CACHE, installPackages } from './install.mjs'

const nodePath = installPackages({ needsDevPackages: true })
const testEnv = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env }
const { status } = spawnSync(nodePath, ['scripts/run-tests.ts'], { stdio: 'inherit', env: testEnv })
process.exit(status ?? 1)
