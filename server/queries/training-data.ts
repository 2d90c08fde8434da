/** Training data of the recommendation model: titles with their features, and the signals of all profiles. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

const PAGE_ROWS = 1_000

/** Yields all titles, read in pages. Includes hidden titles, because they may become visible again. */
export async function* readTrainingTitles(db: Db) {
  for (let previousTitleId = 0; ; ) {
    const rows = await db
      .selectFrom('title')
      .select([
        'title_id',
        'type',
        'sort_title',
        'language',
        'year',
        'rating',
        'rating_votes',
        'popularity',
        'safe_for_kids',
        'rated',
        'guide_levels',
      ])
      .where('title_id', '>', previousTitleId)
      .orderBy('title_id')
      .limit(PAGE_ROWS)
      .execute()
    const lastId = rows.at(-1)?.title_id
    if (lastId === undefined) return
    const getTitleFeatures = await loadFeatureLookup(db, previousTitleId, lastId)
    for (const row of rows) yield { ...row, ...getTitleFeatures(row.title_id) }
    previousTitleId = lastId
  }
}

async function loadFeatureLookup(db: Db, previousTitleId: number, lastId: number) {
  const genres = await db
    .selectFrom('title_genre')
    .selectAll()
    .where('title_id', '>', previousTitleId)
    .where('title_id', '<=', lastId)
    .execute()
  const keywords = await db
    .selectFrom('title_keyword')
    .selectAll()
    .where('title_id', '>', previousTitleId)
    .where('title_id', '<=', lastId)
    .execute()
  const credits = await db
    .selectFrom('credit')
    .select(['title_id', 'person_id', 'kind', 'job'])
    .where('title_id', '>', previousTitleId)
    .where('title_id', '<=', lastId)
    .orderBy('title_id')
    .orderBy('kind')
    .orderBy('position')
    .execute()
  const texts = await db
    .selectFrom('title_text')
    .select(['title_id', 'overview'])
    .where('title_id', '>', previousTitleId)
    .where('title_id', '<=', lastId)
    .where('lang', '=', 'en')
    .execute()
  const genreRowsByTitleId = Map.groupBy(genres, (row) => row.title_id)
  const keywordRowsByTitleId = Map.groupBy(keywords, (row) => row.title_id)
  const creditRowsByTitleId = Map.groupBy(credits, (row) => row.title_id)
  const overviewByTitleId = new Map(texts.map((row) => [row.title_id, row.overview]))
  return (titleId: number) => ({
    genres: (genreRowsByTitleId.get(titleId) ?? []).map((row) => row.genre_id),
    keywords: (keywordRowsByTitleId.get(titleId) ?? []).map((row) => row.keyword),
    credits: creditRowsByTitleId.get(titleId) ?? [],
    overview: overviewByTitleId.get(titleId) ?? null,
  })
}

/** Returns feedback, ratings, progress and watchlist entries of all profiles, except the profiles in the bin. */
export async function selectTrainingSignals(db: Db) {
  const deletedProfiles = await db
    .selectFrom('profile')
    .select('profile_id')
    .where('deleted_at', 'is not', null)
    .execute()
  const deletedProfileIds = new Set(deletedProfiles.map((row) => row.profile_id))
  const isOfActiveProfile = (row: { profile_id: string }) => !deletedProfileIds.has(row.profile_id)
  const feedback = await db.selectFrom('feedback').selectAll().execute()
  const ratings = await db.selectFrom('rating').selectAll().execute()
  const progress = await db
    .selectFrom('progress')
    .innerJoin('title', 'title.title_id', 'progress.title_id')
    .select((eb) => [
      'progress.profile_id',
      'progress.title_id',
      'title.type',
      eb.fn.max('progress.updated_at').as('at'),
      eb.fn.sum<number>('progress.finished').as('finished'),
    ])
    .groupBy(['progress.profile_id', 'progress.title_id', 'title.type'])
    .execute()
  const watchlistEntries = await db
    .selectFrom('watchlist_entry')
    .select(['profile_id', 'title_id', 'state', 'updated_at'])
    .where('in_watchlist', '=', 1)
    .execute()
  return {
    feedback: feedback.filter(isOfActiveProfile),
    ratings: ratings.filter(isOfActiveProfile),
    progress: progress.filter(isOfActiveProfile),
    watchlist: watchlistEntries.filter(isOfActiveProfile),
  }
}

/**
 * Returns a text that changes when a signal of any profile is added, changed or removed, and when a profile is moved to
 * the bin or restored. A change of this text triggers a new training. For each table, the text contains the number of
 * rows, the latest time and a sum over all times. The latest time alone is not enough, because a removal, or a change
 * that arrives late, may leave the latest time unchanged. Each time is added modulo 1,000,003, so that the sum stays
 * small.
 */
export async function selectTrainingSignalsVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ row_count: number; last_changed_at: number | null; time_sum: number | null }>`
    select 1 as part, count(*) as row_count, max(updated_at) as last_changed_at, sum(updated_at % 1000003) as time_sum
      from feedback
    union all select 2, count(*), max(updated_at), sum(updated_at % 1000003) from rating
    union all select 3, count(*), max(updated_at), sum(updated_at % 1000003) from progress
    union all select 4, count(*), max(updated_at), sum(updated_at % 1000003)
      from watchlist_entry where in_watchlist = 1
    union all select 5, count(*), max(deleted_at), sum(deleted_at % 1000003)
      from profile where deleted_at is not null
    order by part
  `.execute(db)
  return rows.map((row) => `${row.row_count}:${row.last_changed_at ?? 0}:${row.time_sum ?? 0}`).join(' ')
}
