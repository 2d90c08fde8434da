/** Titles that a row of an imported history file may refer to, found by id or by normalised name. */
import type { Db } from '../db/open.ts'
import { type Audience, visibleTitles } from './scope.ts'

export interface CandidateRow {
  title_id: number
  type: string
  imdb_id: string | null
  tmdb_id: number | null
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
  'title.year',
  'title.runtime',
  'title.rating_votes',
  'title.season_count',
] as const

export async function candidatesByKey(
  db: Db,
  audience: Audience,
  keys: string[],
): Promise<(CandidateRow & { match_key: string })[]> {
  if (keys.length === 0) return []
  return visibleTitles(db, audience)
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .where('title_name.match_key', 'in', keys)
    .select([...CANDIDATE_COLUMNS, 'title_name.match_key'])
    .distinct()
    .orderBy('title.title_id')
    .execute()
}

export async function candidatesByIds(
  db: Db,
  audience: Audience,
  idColumn: 'imdb_id' | 'tmdb_id' | 'title_id',
  ids: (string | number)[],
): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  return visibleTitles(db, audience)
    .where(`title.${idColumn}`, 'in', ids as never[])
    .select(CANDIDATE_COLUMNS)
    .orderBy('title.title_id')
    .execute()
}

export async function namesOf(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('title_name')
    .select(['title_id', 'text'])
    .where('title_id', 'in', titleIds)
    .orderBy('text')
    .execute()
}

export async function episodesOfSeries(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('episode')
    .select(['title_id', 'season_number', 'episode_number', 'name', 'runtime'])
    .where('title_id', 'in', titleIds)
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .execute()
}
