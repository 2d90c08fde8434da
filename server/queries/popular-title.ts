import type { Db } from '../db/database.ts'

export interface PopularTitle {
  title_id: number
  runtime: number | null
  safe_for_kids: number
}

/**
 * Returns the most popular published titles of a type. Series with fewer than three episodes in season 1 are left out.
 */
export async function selectPopularTitles(
  db: Db,
  type: 'movie' | 'tv',
  maxRows: number,
): Promise<PopularTitle[]> {
  let query = db
    .selectFrom('title')
    .select(['title_id', 'runtime', 'safe_for_kids'])
    .where('type', '=', type)
    .where('published', '=', 1)
  if (type === 'tv') {
    query = query.where('title_id', 'in', (eb) =>
      eb
        .selectFrom('season')
        .select('title_id')
        .where('season_number', '=', 1)
        .where('episode_count', '>=', 3),
    )
  }
  return query.orderBy('popularity', 'desc').orderBy('title_id').limit(maxRows).execute()
}
