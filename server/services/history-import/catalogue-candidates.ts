/**
 * Looks up candidates for the matcher in the part of the catalogue that one audience may see. Names and ids
 * of many rows are looked up together and cached, so that 200,000 rows need about a thousand queries. Names
 * must be equal after folding. Similar names from the search engine are not considered.
 */

import { getTitleLookupKeys } from '../../../src/lib/rules/fold-title.ts'
import type { Db } from '../../db/database.ts'
import type { ExternalIds, HistoryRow, HistoryTitleType } from '../../importers/history/history-row.ts'
import type { CandidateSource, MatchCandidate } from '../../importers/history/title-match.ts'
import {
  type MatchCandidateRow,
  selectCandidatesByIds,
  selectCandidatesByKeys,
  selectEpisodesForMatching,
  selectTitleNames,
} from '../../queries/match-candidates.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Maximum numbers of keys (names and ids) and of titles in the cache. Most exports need fewer. If a limit is exceeded,
 * the cache is cleared.
 */
const MAX_CACHED_KEYS = 50_000
const MAX_CACHED_TITLES = 20_000
const KEYS_PER_QUERY = 200
const SERIES_PER_QUERY = 10

export interface CatalogueTitle extends MatchCandidate {
  id: number
  titles: string[]
  /** Runtime in seconds; for a series, the usual runtime of an episode. */
  runtimeSeconds: number | null
  episodes: {
    season_number: number
    episode_number: number
    titles: string[]
    runtimeSeconds: number | null
    air_date: string | null
  }[]
}

export class CatalogueCandidates implements CandidateSource {
  readonly #db: Db
  readonly #audience: Audience
  readonly #titlesById = new Map<number, CatalogueTitle>()
  readonly #titlesByKey = new Map<string, CatalogueTitle[]>()
  readonly #yieldToEventLoop = createEventLoopYield()

  constructor(db: Db, audience: Audience) {
    this.#db = db
    this.#audience = audience
  }

  findByTitle(foldedTitle: string, type?: HistoryTitleType): CatalogueTitle[] {
    const titles = this.#titlesByKey.get(`name ${foldedTitle}`) ?? []
    return type ? titles.filter((title) => title.type === type) : titles
  }

  findByIds(ids: ExternalIds, type?: HistoryTitleType): CatalogueTitle[] {
    const titles = buildIdKeys({ ids, type }).flatMap((idKey) => this.#titlesByKey.get(idKey) ?? [])
    return [...new Set(titles)]
  }

  getById(titleId: number): CatalogueTitle | undefined {
    return this.#titlesById.get(titleId)
  }

  /** Loads into the cache all titles that these rows may match, and the titles with `titleIds`. */
  async preload(rows: readonly HistoryRow[], titleIds: readonly number[] = []): Promise<void> {
    if (this.#titlesByKey.size > MAX_CACHED_KEYS || this.#titlesById.size > MAX_CACHED_TITLES) {
      this.#titlesByKey.clear()
      this.#titlesById.clear()
    }
    const nameKeys = new Set<string>()
    for (const row of rows) {
      for (const { title } of [row, ...(row.readings ?? [])])
        for (const nameKey of getTitleLookupKeys(title)) nameKeys.add(nameKey)
      for (const nameKey of buildOriginalTitleKeys(row)) nameKeys.add(nameKey)
      await this.#yieldToEventLoop()
    }
    await this.#loadNames([...nameKeys].filter((name) => !this.#titlesByKey.has(`name ${name}`)))
    const idKeys = new Set(rows.flatMap(buildIdKeys))
    await this.#loadIds([...idKeys].filter((idKey) => !this.#titlesByKey.has(idKey)))
    const missingIds = titleIds.filter((id) => !this.#titlesById.has(id))
    await this.#loadTitles(await selectCandidatesByIds(this.#db, this.#audience, 'title_id', missingIds))
  }

  async #loadNames(nameKeys: string[]): Promise<void> {
    for (let startIndex = 0; startIndex < nameKeys.length; startIndex += KEYS_PER_QUERY) {
      const batch = nameKeys.slice(startIndex, startIndex + KEYS_PER_QUERY)
      const rows = await selectCandidatesByKeys(this.#db, this.#audience, batch)
      await this.#loadTitles(rows)
      const rowsByKey = Map.groupBy(rows, (row) => row.match_key)
      for (const name of batch)
        this.#titlesByKey.set(`name ${name}`, this.#getCachedTitles(rowsByKey.get(name) ?? []))
      await this.#yieldToEventLoop()
    }
  }

  async #loadIds(idKeys: string[]): Promise<void> {
    for (const kind of ['imdb', 'tmdb', 'tvdb'] as const) {
      const column = `${kind}_id` as const
      const keysOfKind = idKeys.filter((idKey) => idKey.startsWith(`${kind} `))
      for (let startIndex = 0; startIndex < keysOfKind.length; startIndex += KEYS_PER_QUERY) {
        const batch = keysOfKind.slice(startIndex, startIndex + KEYS_PER_QUERY)
        const externalIds = batch.map((idKey) => idKey.split(' ').at(-1) ?? '')
        const rows = await selectCandidatesByIds(
          this.#db,
          this.#audience,
          column,
          kind === 'imdb' ? externalIds : externalIds.map(Number),
        )
        await this.#loadTitles(rows)
        const buildRowKey = (row: MatchCandidateRow) =>
          kind === 'imdb' ? `imdb ${row.imdb_id}` : `${kind} ${row.type} ${row[column]}`
        const rowsByKey = Map.groupBy(rows, buildRowKey)
        for (const idKey of batch)
          this.#titlesByKey.set(idKey, this.#getCachedTitles(rowsByKey.get(idKey) ?? []))
        await this.#yieldToEventLoop()
      }
    }
  }

  #getCachedTitles(rows: MatchCandidateRow[]): CatalogueTitle[] {
    return rows.flatMap((row) => this.#titlesById.get(row.title_id) ?? [])
  }

  async #loadTitles(rows: MatchCandidateRow[]): Promise<void> {
    const newRowsByTitleId = new Map(
      rows.filter((row) => !this.#titlesById.has(row.title_id)).map((row) => [row.title_id, row]),
    )
    if (newRowsByTitleId.size === 0) return
    for (const row of newRowsByTitleId.values()) this.#titlesById.set(row.title_id, toCatalogueTitle(row))
    for (const { title_id, text } of await selectTitleNames(this.#db, [...newRowsByTitleId.keys()])) {
      this.#titlesById.get(title_id)?.titles.push(text)
    }
    const seriesIds = [...newRowsByTitleId.values()]
      .filter((row) => row.type === 'tv')
      .map((row) => row.title_id)
    for (let startIndex = 0; startIndex < seriesIds.length; startIndex += SERIES_PER_QUERY) {
      const batch = seriesIds.slice(startIndex, startIndex + SERIES_PER_QUERY)
      for (const { title_id, name, runtime, ...episodeDate } of await selectEpisodesForMatching(
        this.#db,
        batch,
      )) {
        this.#titlesById
          .get(title_id)
          ?.episodes.push({ ...episodeDate, titles: name ? [name] : [], runtimeSeconds: runtime })
      }
      await this.#yieldToEventLoop()
    }
  }
}

const buildOriginalTitleKeys = (row: HistoryRow) =>
  row.originalTitle ? getTitleLookupKeys(row.originalTitle) : []

function buildIdKeys({ ids, type }: { ids: ExternalIds; type?: HistoryTitleType | undefined }): string[] {
  const idKeys: string[] = []
  if (ids.imdb) idKeys.push(`imdb ${ids.imdb}`)
  if (ids.tmdb && type) idKeys.push(`tmdb ${type} ${ids.tmdb}`)
  if (ids.tvdb && type) idKeys.push(`tvdb ${type} ${ids.tvdb}`)
  return idKeys
}

function toCatalogueTitle(row: MatchCandidateRow): CatalogueTitle {
  return {
    id: row.title_id,
    type: row.type as HistoryTitleType,
    ids: {
      ...(row.imdb_id && { imdb: row.imdb_id }),
      ...(row.tmdb_id && { tmdb: row.tmdb_id }),
      ...(row.tvdb_id && { tvdb: row.tvdb_id }),
    },
    titles: [],
    year: row.year,
    runtimeMinutes: row.type === 'movie' && row.runtime ? row.runtime / 60 : null,
    runtimeSeconds: row.runtime,
    votes: row.rating_votes,
    ...(row.season_count > 0 && { seasonCount: row.season_count }),
    episodes: [],
  }
}
