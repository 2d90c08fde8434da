/**
 * Copies the data folder of a server that has the demo household. Creating the household takes seconds, so it is
 * created once per run.
 */
import { cpSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { prepareServerProcess } from '../tests/support/server-processes.ts'

const getTemplateDir = () => join(process.env['E2E_DATA_ROOT'] ?? '', 'household')

/** Creates the data folder that `copyDemoHousehold` copies, unless it exists. */
export async function createDemoHousehold(): Promise<void> {
  if (existsSync(getTemplateDir())) return
  // The folder gets its final name only when the household is complete.
  const unfinishedDir = `${getTemplateDir()}-unfinished`
  const server = await prepareServerProcess(unfinishedDir, { DEMO: '1' })
  await server.start()
  await server.terminate()
  renameSync(unfinishedDir, getTemplateDir())
}

/** Copies the demo household to a new or empty folder. The account and its password are the same in all copies. */
export const copyDemoHousehold = (dataDir: string): void =>
  cpSync(getTemplateDir(), dataDir, { recursive: true })
