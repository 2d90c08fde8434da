import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'

/** Maximum number of ids in one statement; SQLite accepts 32,766 parameters. */
const MAX_IDS_PER_STATEMENT = 4_096

/** Returns those of the given TMDB ids that belong to a title of the catalogue. */
export async function selectKnownTmdbIds(
  db: Db,
  type: 'movie' | 'tv',
  tmdbIds: readonly number[],
): Promise<number[]> {
  const knownIds: number[] = []
  for (let startIndex = 0; startIndex < tmdbIds.length; startIndex += MAX_IDS_PER_STATEMENT) {
    const rows = await db
      .selectFrom('title')
      .select('tmdb_id')
      .where('type', '=', type)
      .where('tmdb_id', 'in', padToPowerOfTwo(tmdbIds.slice(startIndex, startIndex + MAX_IDS_PER_STATEMENT)))
      .execute()
    for (const { tmdb_id } of rows) if (tmdb_id !== null) knownIds.push(tmdb_id)
  }
  return knownIds
}

/** Returns the TMDB ids of all titles that are not deleted, the most popular first. */
export async function selectAllTmdbIds(db: Db, type: 'movie' | 'tv'): Promise<number[]> {
  const rows = await db
    .selectFrom('title')
    .select('tmdb_id')
    .where('type', '=', type)
    .where('tmdb_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('popularity', 'desc')
    .orderBy('title_id')
    .execute()
  return rows.flatMap((row) => row.tmdb_id ?? [])
}

/** Returns the TMDB ids of all people who are among the first `leadingCastCount` cast members of a title. */
export async function selectTmdbIdsOfCast(db: Db, leadingCastCount: number): Promise<number[]> {
  const rows = await db
    .selectFrom('credit')
    .innerJoin('person', 'person.person_id', 'credit.person_id')
    .select('person.tmdb_id')
    .distinct()
    .where('credit.kind', '=', 'cast')
    .where('credit.position', '<', leadingCastCount)
    .where('person.tmdb_id', 'is not', null)
    .orderBy('person.tmdb_id')
    .execute()
  return rows.flatMap((row) => row.tmdb_id ?? [])
}
