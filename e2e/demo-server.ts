/** Starts the server of one Playwright worker. If its data folder DATA_DIR is new, it gets the demo household. */
import { existsSync } from 'node:fs'
import { copyDemoHousehold, createDemoHousehold } from './demo-household.ts'

const dataDir = process.env['DATA_DIR'] ?? ''
await createDemoHousehold()
if (!existsSync(dataDir)) copyDemoHousehold(dataDir)
await import('../server/main.ts')
