/**
 * Stage one of the IMDb import: copies the rows that the import needs from the dump files to the scratch database, in
 * one pass per file.
 */
import { IdSet } from '../id-set.ts'
import { IMDB_TITLE_TYPES } from './dump-tables.ts'
import { readCrew, readNames, readPrincipals } from './read-people-tables.ts'
import type { GatherContext } from './read-table.ts'
import { readAkas, readBasics, readEpisodes, readRatings } from './read-title-tables.ts'

/**
 * Returns the number of lines read and of titles found. Throws `DumpFileError` if a file is damaged or a required file is
 * missing.
 */
export async function readDumps(context: GatherContext): Promise<{ lines: number; titles: number }> {
  const { types, minVotes } = context.filter
  const sets = { rated: new IdSet(), episodes: new IdSet(), titles: new IdSet(), people: new IdSet() }
  const includesSeries = [...types].some((type) => IMDB_TITLE_TYPES[type] === 'tv')
  let lines = await readRatings(context, sets.rated)
  if (includesSeries) lines += await readEpisodes(context, minVotes > 0 ? sets.rated : null, sets.episodes)
  lines += await readBasics(context, sets)
  lines += await readAkas(context, sets.titles)
  lines += await readPrincipals(context, sets)
  lines += await readCrew(context, sets)
  lines += await readNames(context, sets.people)
  return { lines, titles: sets.titles.size }
}
