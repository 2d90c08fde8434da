import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'

/** Returns the TMDB ids that exist in the catalogue. */
export async function selectKnownTmdbIds(db: Db, type: 'movie' | 'tv', tmdbIds: number[]): Promise<number[]> {
  if (tmdbIds.length === 0) return []
  const rows = await db
    .selectFrom('title')
    .select('tmdb_id')
    .where('type', '=', type)
    .where('tmdb_id', 'in', padToPowerOfTwo(tmdbIds))
    .execute()
  return rows.flatMap((row) => row.tmdb_id ?? [])
}
