/** Episodes to which the rows of an imported history file belong. */
import { sql } from 'kysely'
import { MAX_EPISODE_NUMBER } from '../../src/lib/rules/tracking-limits.ts'
import type { Db } from '../db/database.ts'
import type { HistoryFileRow } from './history-import-row.ts'

export interface EpisodeRange {
  first: { season: number; episode: number }
  last: { season: number; episode: number }
}

/** Factor of the season number in the sort key of an episode. This factor is larger than any episode number. */
const EPISODES_PER_SEASON = MAX_EPISODE_NUMBER + 1

/**
 * Groups the import rows with these titles by `row_key` and title. Returns the first and the last known episode of each
 * group; `toEpisodeRangeKey` builds the keys of the map. Groups without a known episode are absent.
 */
export async function selectEpisodeRanges(
  db: Db,
  importId: string,
  titleIds: number[],
): Promise<Map<string, EpisodeRange>> {
  if (titleIds.length === 0) return new Map()
  const positionExpression = sql<number>`
    cast(season_number as bigint) * ${sql.lit(EPISODES_PER_SEASON)} + episode_number`
  const rows = await db
    .selectFrom('history_import_row')
    .select(['row_key', 'title_id'])
    .select((eb) => [eb.fn.min(positionExpression).as('first'), eb.fn.max(positionExpression).as('last')])
    .where('import_id', '=', importId)
    .where('title_id', 'in', titleIds)
    .where('season_number', '>=', 0)
    .where('episode_number', '>', 0)
    .groupBy(['row_key', 'title_id'])
    .execute()
  const toEpisode = (position: unknown) => ({
    season: Math.floor(Number(position) / EPISODES_PER_SEASON),
    episode: Number(position) % EPISODES_PER_SEASON,
  })
  return new Map(
    rows.map((row) => [toEpisodeRangeKey(row), { first: toEpisode(row.first), last: toEpisode(row.last) }]),
  )
}

export const toEpisodeRangeKey = ({
  row_key,
  title_id,
}: Pick<HistoryFileRow, 'row_key' | 'title_id'>): string => `${title_id} ${row_key}`
