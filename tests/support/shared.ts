/** Real-world data that lies beside the project on some machines. Tests that read it pass with a notice elsewhere. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const given = process.env['MARQUEE_SHARED']
const places = given ? [given, join(given, 'data')] : [join(process.cwd(), '../shared/data')]

/** The folder, or null. */
export const sharedData: string | null = places.find((place) => existsSync(join(place, 'imdb_tsv'))) ?? null
if (!sharedData) console.info('no shared data beside the project: what needs it is not run')

/** A test against the shared data; where that is absent it passes with the notice above. */
export const withShared = (run: (folder: string) => Promise<void>) => async () => {
  if (sharedData) await run(sharedData)
}
