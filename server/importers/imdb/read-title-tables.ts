/** Reads the dump tables of titles, episodes, ratings and titles in other languages. */
import { MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../../../src/lib/rules/title-ranges.ts'
import type { IdSet } from '../id-set.ts'
import { countExcludedItems, reportSkip } from '../import-report.ts'
import { AKAS_TABLE, BASICS_TABLE, EPISODES_TABLE, RATINGS_TABLE } from './dump-tables.ts'
import { parseImdbId, parseImdbIdAt } from './ids.ts'
import {
  acceptLineWithId,
  createIdFilter,
  type DumpReadContext,
  type DumpRowFields,
  type LineFilter,
  parseWholeNumber,
  readTable,
} from './read-table.ts'

export function readRatings(context: DumpReadContext, ratedIds: IdSet): Promise<number> {
  const { scratchDatabase, report, filter } = context
  const onRow = ([tconst, rating, votes]: DumpRowFields, location: string) => {
    const [averageRating, voteCount] = [Number(rating ?? Number.NaN), parseWholeNumber(votes)]
    if (!(averageRating >= 0 && averageRating <= 10) || Number.isNaN(voteCount)) {
      return reportSkip(report, location, 'is not a rating')
    }
    if (voteCount < filter.minVotes) return
    const titleId = parseImdbId(tconst ?? '')
    if (scratchDatabase.insert('rating', titleId, averageRating, voteCount)) ratedIds.add(titleId)
    else reportSkip(report, location, `repeats ${tconst}`)
  }
  return readTable(
    context,
    { table: RATINGS_TABLE, filterLine: acceptLineWithId, onRow },
    filter.minVotes > 0,
  )
}

/**
 * Reads the episodes of the series in `seriesIds`, or of all series if `seriesIds` is null. The file title.basics,
 * which is read later, determines which of these series are imported.
 */
export function readEpisodes(
  context: DumpReadContext,
  seriesIds: IdSet | null,
  episodeIds: IdSet,
): Promise<number> {
  const { scratchDatabase, report } = context
  const filterLine: LineFilter = (bytes, startOffset, endOffset) => {
    const episodeId = parseImdbIdAt(bytes, startOffset, endOffset)
    if (episodeId === -1) return -1
    const seriesId = parseImdbIdAt(bytes, bytes.indexOf(9, startOffset) + 1, endOffset)
    return seriesId === -1 ? -1 : seriesIds === null || seriesIds.has(seriesId)
  }
  const onRow = ([tconst, parentTconst, seasonNumber, episodeNumber]: DumpRowFields, location: string) => {
    if (seasonNumber === null || episodeNumber === null)
      return countExcludedItems(report, 'episodes without a number')
    const [season, episode, id] = [
      parseWholeNumber(seasonNumber),
      parseWholeNumber(episodeNumber),
      parseImdbId(tconst ?? ''),
    ]
    if (Number.isNaN(season) || Number.isNaN(episode))
      return reportSkip(report, location, 'has no episode number')
    if (scratchDatabase.insert('episode', parseImdbId(parentTconst ?? ''), season, episode, id))
      episodeIds.add(id)
    else countExcludedItems(report, 'episodes with a number that is already taken')
  }
  return readTable(context, { table: EPISODES_TABLE, filterLine, onRow })
}

export async function readBasics(
  context: DumpReadContext,
  { rated: ratedIds, episodes: episodeIds, titles: titleIds }: Record<'rated' | 'episodes' | 'titles', IdSet>,
): Promise<number> {
  const { scratchDatabase, report, filter } = context
  const selectVotes = scratchDatabase.prepare('select votes from rating where id = ?')
  let belowMinVotesCount = 0
  const filterLine: LineFilter = (bytes, startOffset, endOffset) => {
    const titleId = parseImdbIdAt(bytes, startOffset, endOffset)
    if (titleId === -1) return -1
    if (filter.minVotes === 0 || ratedIds.has(titleId) || episodeIds.has(titleId)) return true
    belowMinVotesCount += 1
    return false
  }
  const onRow = (fields: DumpRowFields, location: string) => {
    const [tconst, type, name, originalTitle, adultFlag, startYear, endYear, minutes, genres] = fields
    const titleId = parseImdbId(tconst ?? '')
    const runtimeSeconds = parseWholeNumber(minutes) * 60 || null
    if (type === 'tvEpisode') {
      if (episodeIds.has(titleId))
        scratchDatabase.insert('episode_title', titleId, name ?? null, runtimeSeconds)
      return
    }
    if (!type || !name) return reportSkip(report, location, 'has no title or no type')
    if (!filter.types.has(type)) return countExcludedItems(report, `titles of another type (${type})`)
    if (adultFlag !== '0' && !filter.shouldIncludeAdult) {
      scratchDatabase.insert('adult_title', titleId, type)
      return countExcludedItems(report, 'adult titles')
    }
    const isNew = scratchDatabase.insert(
      'title',
      titleId,
      type,
      name,
      originalTitle ?? name,
      parseYear(startYear),
      parseYear(endYear),
      runtimeSeconds,
      genres ?? null,
    )
    if (isNew) {
      titleIds.add(titleId)
      // Negated numbers of votes put the title with the most votes first, so that it is imported first and gets its
      // slug without a suffix.
      scratchDatabase.insert('ranked', -Number(selectVotes.get(titleId)?.['votes'] ?? 0), titleId)
    } else reportSkip(report, location, `repeats ${tconst}`)
  }
  const lineCount = await readTable(context, { table: BASICS_TABLE, filterLine, onRow }, true)
  countExcludedItems(
    report,
    `titles and episodes with fewer than ${filter.minVotes} votes`,
    belowMinVotesCount,
  )
  return lineCount
}

function parseYear(yearText: string | null | undefined): number | null {
  const year = parseWholeNumber(yearText)
  return year >= MIN_RELEASE_YEAR && year <= MAX_RELEASE_YEAR ? year : null
}

export function readAkas(context: DumpReadContext, titleIds: IdSet): Promise<number> {
  const onRow = (
    [tconst, ordering, text, region, lang, types, attributes]: DumpRowFields,
    location: string,
  ) => {
    const akaIndex = parseWholeNumber(ordering)
    if (!text || Number.isNaN(akaIndex))
      return reportSkip(context.report, location, 'has no title or no number')
    context.scratchDatabase.insert(
      'aka',
      parseImdbId(tconst ?? ''),
      akaIndex,
      text,
      region ?? null,
      lang ?? null,
      types ?? null,
      attributes ?? null,
    )
  }
  return readTable(context, { table: AKAS_TABLE, filterLine: createIdFilter(titleIds), onRow })
}
