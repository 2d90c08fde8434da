/** Starts the server of one Playwright worker. Copies the demo household to DATA_DIR if this folder does not exist. */
import { existsSync } from 'node:fs'
import { copyDemoHousehold, createDemoHousehold } from './demo-household.ts'

const dataDir = process.env['DATA_DIR'] ?? ''
await createDemoHousehold()
if (!existsSync(dataDir)) copyDemoHousehold(dataDir)
await import('../server/main.ts')
