/**
 * Real-world data that some machines have in a folder next to the project. Without this data, the tests that need it
 * pass and check nothing.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const configuredFolder = process.env['MARQUEE_SHARED']
const candidates = configuredFolder
  ? [configuredFolder, join(configuredFolder, 'data')]
  : [join(process.cwd(), '../shared/data')]

/** The folder of the shared data, or null when it is absent. */
export const sharedDataFolder: string | null =
  candidates.find((candidate) => existsSync(join(candidate, 'imdb_tsv'))) ?? null
if (!sharedDataFolder) console.info('shared data not found: tests that need it do nothing')

/** Wraps a test that needs the shared data. Without the data, the test passes and checks nothing. */
export const withSharedData = (run: (folder: string) => Promise<void>) => async () => {
  if (sharedDataFolder) await run(sharedDataFolder)
}

/** Returns the path of a file or folder of the shared data. Throws without the data. */
export function getSharedPath(path: string): string {
  if (!sharedDataFolder) throw new Error('no shared data')
  return join(sharedDataFolder, path)
}
