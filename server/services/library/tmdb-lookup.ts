/** Finds the TMDB title of a group of files by id, or by name and year. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { TmdbClient } from '../../importers/tmdb/client.ts'
import { fetchTmdbTitle } from '../../importers/tmdb/fetch-title.ts'
import {
  findTmdbIdByImdbId,
  findTmdbIdByTvdbId,
  searchTmdb,
  type TmdbSearchResult,
} from '../../importers/tmdb/search.ts'
import type { TitleRecord } from '../../queries/title-record.ts'
import { requestTmdb } from '../catalogue/title-refresh.ts'
import type { Deps } from '../deps.ts'
import type { NamedFileGroup } from './named-groups.ts'

export interface TmdbLookup {
  isConfigured: boolean
  /** True if a request to TMDB has failed. The job then sends no further request. */
  hasFailed: () => boolean
  /**
   * Returns the TMDB title with the id of the group, or with its name and year. Returns null if there is no match or
   * several matches, without a TMDB token, and after a request has failed.
   */
  findRecord: (group: NamedFileGroup) => Promise<TitleRecord | null>
}

export function createTmdbLookup(deps: Deps): TmdbLookup {
  const isConfigured = Boolean(deps.config.tmdbApiToken)
  let hasFailed = false
  return {
    isConfigured,
    hasFailed: () => hasFailed,
    async findRecord(group) {
      if (!isConfigured || hasFailed) return null
      try {
        return await requestTmdb(deps, (client) => fetchRecord(client, group))
      } catch {
        // requestTmdb() has logged the cause.
        hasFailed = true
        return null
      }
    },
  }
}

async function fetchRecord(client: TmdbClient, group: NamedFileGroup): Promise<TitleRecord | null> {
  const { type, name, nameWithYear, year, imdbId, tmdbId, tvdbId } = group
  const findByName = async (searchedName: string, searchedYear: number | null) =>
    findOnlyMatch(await searchTmdb(client, { type, search: searchedName, year: searchedYear }), {
      ...group,
      name: searchedName,
      year: searchedYear,
    })
  const foundTmdbId =
    tmdbId ??
    (imdbId === undefined ? null : await findTmdbIdByImdbId(client, type, imdbId)) ??
    (tvdbId === undefined ? null : await findTmdbIdByTvdbId(client, type, tvdbId)) ??
    (imdbId === undefined && nameWithYear !== undefined ? await findByName(nameWithYear, null) : null) ??
    (imdbId === undefined ? await findByName(name, year) : null)
  if (foundTmdbId === null) return null
  const outcome = await fetchTmdbTitle(client, { kind: type, id: foundTmdbId })
  const record = 'record' in outcome ? outcome.record : null
  // If TMDB does not know the TheTVDB id of the file, the title was found by its name. Such a title is not the title of
  // the file if it has another TheTVDB id.
  const hasOnlyTvdbId = tmdbId === undefined && imdbId === undefined && tvdbId !== undefined
  return hasOnlyTvdbId && record?.tvdb_id && record.tvdb_id !== tvdbId ? null : record
}

/**
 * Returns the id of the only match; null if there is no match or several matches. If no result has the exact year, a
 * result whose year differs by one also matches, unless the catalogue has the name with another year (`hasOtherYear`).
 */
function findOnlyMatch(
  searchResults: readonly TmdbSearchResult[],
  { name, year, hasOtherYear }: NamedFileGroup,
): number | null {
  const foldedName = foldSearchText(name)
  const sameNameResults = searchResults.filter(({ title, originalTitle }) =>
    [title, originalTitle].some((titleText) => foldSearchText(titleText) === foldedName),
  )
  const exactYearResults =
    year === null ? sameNameResults : sameNameResults.filter((result) => result.year === year)
  const nearYearResults = sameNameResults.filter(
    (result) => result.year !== null && Math.abs(result.year - (year ?? 0)) === 1,
  )
  const [onlyResult, ...otherResults] =
    exactYearResults.length > 0 || hasOtherYear ? exactYearResults : nearYearResults
  return onlyResult && otherResults.length === 0 ? onlyResult.id : null
}
