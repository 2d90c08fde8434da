/**
 * Titles that a row of an imported history file may refer to, found by id or by the key of a name (`match_key`), with
 * their names and episodes.
 */
import type { Db } from '../db/database.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export interface MatchCandidateRow {
  title_id: number
  type: string
  imdb_id: string | null
  tmdb_id: number | null
  tvdb_id: number | null
  year: number | null
  runtime: number | null
  rating_votes: number
  season_count: number
}

const CANDIDATE_COLUMNS = [
  'title.title_id',
  'title.type',
  'title.imdb_id',
  'title.tmdb_id',
  'title.tvdb_id',
  'title.year',
  'title.runtime',
  'title.rating_votes',
  'title.season_count',
] as const

export async function selectCandidatesByKeys(
  db: Db,
  audience: Audience,
  matchKeys: string[],
): Promise<(MatchCandidateRow & { match_key: string })[]> {
  if (matchKeys.length === 0) return []
  return queryVisibleTitles(db, audience)
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .where('title_name.match_key', 'in', matchKeys)
    .select([...CANDIDATE_COLUMNS, 'title_name.match_key'])
    .distinct()
    .orderBy('title.title_id')
    .execute()
}

export async function selectCandidatesByIds(
  db: Db,
  audience: Audience,
  idColumn: 'imdb_id' | 'tmdb_id' | 'tvdb_id' | 'title_id',
  ids: (string | number)[],
): Promise<MatchCandidateRow[]> {
  if (ids.length === 0) return []
  return (
    queryVisibleTitles(db, audience)
      .where(`title.${idColumn}`, 'in', ids as never[])
      // The index of TMDB ids begins with the type. Without the type, the database reads the whole table.
      .$if(idColumn === 'tmdb_id', (query) => query.where('title.type', 'in', ['movie', 'tv']))
      .select(CANDIDATE_COLUMNS)
      .orderBy('title.title_id')
      .execute()
  )
}

export async function selectTitleNames(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('title_name')
    .select(['title_id', 'text'])
    .where('title_id', 'in', titleIds)
    .orderBy('text')
    .execute()
}

export async function selectEpisodesForMatching(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('episode')
    .select(['title_id', 'season_number', 'episode_number', 'name', 'runtime', 'air_date'])
    .where('title_id', 'in', titleIds)
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .execute()
}
