/**
 * Stage one of the IMDb import: copies the rows that the import needs from the dump files to the scratch database, in
 * one pass per file.
 */
import { IdSet } from '../id-set.ts'
import { IMDB_TITLE_TYPES } from './dump-tables.ts'
import { readCrew, readNames, readPrincipals } from './read-people-tables.ts'
import type { DumpReadContext } from './read-table.ts'
import { readAkas, readBasics, readEpisodes, readRatings } from './read-title-tables.ts'

/**
 * Reads all dump files into the scratch database. Returns how many lines were read and how many titles were found.
 * Throws `DumpFileError` if a file is damaged or a required file is missing.
 */
export async function readDumps(
  context: DumpReadContext,
): Promise<{ lineCount: number; titleCount: number }> {
  const { types, minVotes } = context.filter
  const idSets = { rated: new IdSet(), episodes: new IdSet(), titles: new IdSet(), people: new IdSet() }
  const hasSeriesType = [...types].some((type) => IMDB_TITLE_TYPES[type] === 'tv')
  let lineCount = await readRatings(context, idSets.rated)
  if (hasSeriesType)
    lineCount += await readEpisodes(context, minVotes > 0 ? idSets.rated : null, idSets.episodes)
  lineCount += await readBasics(context, idSets)
  lineCount += await readAkas(context, idSets.titles)
  lineCount += await readPrincipals(context, idSets)
  lineCount += await readCrew(context, idSets)
  lineCount += await readNames(context, idSets.people)
  return { lineCount, titleCount: idSets.titles.size }
}
