/**
 * Signals for recommendations: feedback, ratings, progress and watchlist of a profile, and the signals that the profile
 * has excluded.
 */
import type { Db } from '../db/database.ts'
import { selectSeenSeriesIds } from './seen-title.ts'
import { createWatchStateSql } from './watchlist.ts'

/**
 * Returns the feedback, ratings, progress and watchlist of a profile, and the series that the profile has seen
 * completely.
 */
export async function selectSignals(db: Db, profileId: string, today: string) {
  const [feedback, ratings, progress, watchlistEntries, seenSeriesIds] = await Promise.all([
    db
      .selectFrom('feedback')
      .select(['title_id', 'feedback', 'updated_at'])
      .where('profile_id', '=', profileId)
      .execute(),
    db
      .selectFrom('rating')
      .select(['title_id', 'rating', 'updated_at'])
      .where('profile_id', '=', profileId)
      .execute(),
    db
      .selectFrom('progress')
      .innerJoin('title', 'title.title_id', 'progress.title_id')
      .select((eb) => [
        'progress.title_id',
        'title.type',
        eb.fn.max('progress.updated_at').as('at'),
        eb.fn.sum<number>('progress.finished').as('finished'),
      ])
      .where('profile_id', '=', profileId)
      .groupBy(['progress.title_id', 'title.type'])
      .execute(),
    db
      .selectFrom('watchlist_entry')
      .select(['title_id', 'updated_at', createWatchStateSql(today).as('state')])
      .where('profile_id', '=', profileId)
      .where('in_watchlist', '=', 1)
      .execute(),
    selectSeenSeriesIds(db, profileId, today),
  ])
  return { feedback, ratings, progress, watchlist: watchlistEntries, seenSeriesIds: new Set(seenSeriesIds) }
}

/** Returns the signals that the profile excluded, such as `liked:12`. */
export async function selectExcludedSignals(db: Db, profileId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('signal_off')
    .select('signal')
    .where('profile_id', '=', profileId)
    .orderBy('signal')
    .execute()
  return rows.map((row) => row.signal)
}

interface SignalChange {
  profileId: string
  /** At least one signal. */
  signals: string[]
  /** True to exclude the signals, false to include them again. */
  isExcluded: boolean
  nowMs: number
}

/** Excludes signals from the recommendations of a profile, or includes them again. */
export async function setSignalsExcluded(db: Db, change: SignalChange): Promise<void> {
  const { profileId, signals, nowMs } = change
  if (!change.isExcluded) {
    await db
      .deleteFrom('signal_off')
      .where('profile_id', '=', profileId)
      .where('signal', 'in', signals)
      .execute()
    return
  }
  await db
    .insertInto('signal_off')
    .values(signals.map((signal) => ({ profile_id: profileId, signal, updated_at: nowMs })))
    .onConflict((conflict) => conflict.columns(['profile_id', 'signal']).doNothing())
    .execute()
}
