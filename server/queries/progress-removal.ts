/**
 * Removed progress: rows of `progress` and `play` that a removal has moved to `progress_removed` and `play_removed`.
 * Undo restores the last removal, and the bin restores any removal until BIN_RETENTION_MS has passed.
 */
import { sql } from 'kysely'
import { DAY_MS } from '../core/dates.ts'
import type { Db } from '../db/database.ts'
import { BIN_RETENTION_MS } from './bin.ts'
import { lockProgress } from './progress.ts'

/**
 * Time during which the last removal of progress can be undone without the bin. The time is long, because a device
 * that was offline sends the removal and its undo only when it can reach the server again.
 */
export const PROGRESS_UNDO_PERIOD_MS = DAY_MS

const TABLES_WITH_REMOVED_COPY = [
  ['progress', 'progress_removed'],
  ['play', 'play_removed'],
] as const
const KEY_COLUMNS_BY_TABLE = {
  progress: ['profile_id', 'title_id', 'season_number', 'episode_number'],
  play: ['profile_id', 'title_id', 'season_number', 'episode_number', 'name', 'watched_at'],
} as const
const OTHER_COLUMNS_BY_TABLE = {
  progress: ['progress', 'duration', 'finished', 'plays', 'updated_at'],
  play: ['by_day', 'marked', 'note'],
} as const

const joinColumns = (columnNames: readonly string[]) =>
  sql.join(columnNames.map((columnName) => sql.ref(columnName)))
const joinTableColumns = (table: 'progress' | 'play') =>
  joinColumns([...KEY_COLUMNS_BY_TABLE[table], ...OTHER_COLUMNS_BY_TABLE[table]])

/**
 * A row of `progress_removed` with this season and episode number is a marker and not removed progress. The marker
 * means that Undo has nothing to restore, because the last removal was undone, was permanently deleted or found no
 * rows. Earlier removals can then be restored only from the bin.
 */
const NOTHING_TO_UNDO_MARKER = -1

/** SQL condition: a row of `progress_removed` is removed progress and not the marker. */
const isRemovedProgress = sql<boolean>`season_number <> ${sql.lit(NOTHING_TO_UNDO_MARKER)}`

/**
 * A removal of progress and viewings. All its rows have the same `removed_at`, and no other removal of the profile has
 * this time.
 */
export interface ProgressRemoval {
  removedAtMs: number
  /** Id of a title with removed rows, which represents the removal. If there are several titles, the lowest id. */
  titleId: number
  titleCount: number
  viewingCount: number
}

/** Returns the removals at or after `sinceMs` that can be restored, latest first. */
export async function selectProgressRemovals(
  db: Db,
  profileId: string,
  sinceMs: number,
): Promise<ProgressRemoval[]> {
  const { rows } = await sql<Record<'removed_at' | 'title_id' | 'titles' | 'viewings', number>>`
    select removed_at, min(title_id) as title_id, count(distinct title_id) as titles, sum(is_viewing) as viewings
    from (
      select removed_at, title_id, 0 as is_viewing from progress_removed
      where profile_id = ${profileId} and removed_at >= ${sinceMs} and ${isRemovedProgress}
      union all select removed_at, title_id, 1 as is_viewing from play_removed
      where profile_id = ${profileId} and removed_at >= ${sinceMs}) removed_rows
    group by removed_at order by removed_at desc`.execute(db)
  return rows.map((row) => ({
    removedAtMs: Number(row.removed_at),
    titleId: Number(row.title_id),
    titleCount: Number(row.titles),
    viewingCount: Number(row.viewings),
  }))
}

/**
 * Returns the time of the removal that Undo restores: the last one, if it took place at or after `sinceMs`. Returns
 * undefined when there is nothing to undo.
 */
export async function findUndoableRemovalTimeMs(
  db: Db,
  profileId: string,
  sinceMs: number,
): Promise<number | undefined> {
  const nothingToUndoRow = await db
    .selectFrom('progress_removed')
    .select('removed_at')
    .where('profile_id', '=', profileId)
    .where('season_number', '=', NOTHING_TO_UNDO_MARKER)
    .executeTakeFirst()
  if (nothingToUndoRow) return undefined
  return (await selectProgressRemovals(db, profileId, sinceMs))[0]?.removedAtMs
}

/**
 * Makes Undo restore nothing until the next removal, by inserting a marker row into `progress_removed`. Each row needs
 * a title, so the marker has `titleId`, which may be the id of any title.
 */
async function markNothingToUndo(
  db: Db,
  { profileId, titleId, nowMs }: { profileId: string; titleId: number; nowMs: number },
): Promise<void> {
  await unmarkNothingToUndo(db, profileId)
  await db
    .insertInto('progress_removed')
    .values({
      profile_id: profileId,
      title_id: titleId,
      season_number: NOTHING_TO_UNDO_MARKER,
      episode_number: NOTHING_TO_UNDO_MARKER,
      progress: 0,
      duration: 0,
      finished: 0,
      plays: 0,
      updated_at: 0,
      removed_at: nowMs,
    })
    .execute()
}

async function unmarkNothingToUndo(db: Db, profileId: string): Promise<void> {
  await db
    .deleteFrom('progress_removed')
    .where('profile_id', '=', profileId)
    .where('season_number', '=', NOTHING_TO_UNDO_MARKER)
    .execute()
}

interface ProgressRemovalRequest {
  profileId: string
  /** Undefined to remove the progress of all titles. */
  titleId?: number | undefined
  isRepeated: boolean
  nowMs: number
}
interface ProgressRemovalOutcome {
  /** Time of the removal that Undo restores; null when there is nothing to restore. */
  removedAtMs: number | null
  hasMovedRows: boolean
}

/**
 * Moves progress and viewings of one title, or of all titles, to the `_removed` tables, so that they can be restored.
 * If these tables already contain a row with the same key from an earlier removal, that row is replaced. A client may
 * repeat a call after a lost response (`isRepeated`). If the first call has moved all rows, the repeated call returns
 * the removal of the first call. Call it in a transaction.
 */
export async function moveProgressToRemoved(
  db: Db,
  { profileId, titleId, isRepeated, nowMs }: ProgressRemovalRequest,
): Promise<ProgressRemovalOutcome> {
  await lockProgress(db, profileId)
  const titleCondition = titleId === undefined ? sql`` : sql`and title_id = ${titleId}`
  const { rows } = await sql<{ found: number }>`
    select 1 as found from progress where profile_id = ${profileId} ${titleCondition}
    union all select 1 as found from play where profile_id = ${profileId} ${titleCondition} limit 1
  `.execute(db)
  const [lastRemoval] = await selectProgressRemovals(db, profileId, 0)
  const removedAtMs = Math.max(nowMs, (lastRemoval?.removedAtMs ?? 0) + 1)
  if (rows.length === 0) {
    const undoableRemovalAtMs = await findUndoableRemovalTimeMs(
      db,
      profileId,
      nowMs - PROGRESS_UNDO_PERIOD_MS,
    )
    const isSameRemoval =
      titleId === undefined || (lastRemoval?.titleId === titleId && lastRemoval.titleCount === 1)
    if (isRepeated && isSameRemoval && undoableRemovalAtMs !== undefined)
      return { removedAtMs: undoableRemovalAtMs, hasMovedRows: false }
    const markedTitleId = titleId ?? lastRemoval?.titleId
    if (markedTitleId !== undefined)
      await markNothingToUndo(db, { profileId, titleId: markedTitleId, nowMs: removedAtMs })
    return { removedAtMs: null, hasMovedRows: false }
  }
  await unmarkNothingToUndo(db, profileId)
  for (const [table, removedTable] of TABLES_WITH_REMOVED_COPY) {
    const columns = joinTableColumns(table)
    const columnAssignments = [...OTHER_COLUMNS_BY_TABLE[table], 'removed_at'].map(
      (columnName) => sql`${sql.ref(columnName)} = ${sql.ref(`excluded.${columnName}`)}`,
    )
    await sql`insert into ${sql.table(removedTable)} (${columns}, removed_at) select ${columns}, ${sql.lit(removedAtMs)}
      from ${sql.table(table)} where profile_id = ${profileId} ${titleCondition}
      on conflict (${joinColumns(KEY_COLUMNS_BY_TABLE[table])}) do update set ${sql.join(columnAssignments)}`.execute(
      db,
    )
    await sql`delete from ${sql.table(table)} where profile_id = ${profileId} ${titleCondition}`.execute(db)
  }
  return { removedAtMs, hasMovedRows: true }
}

interface ProgressRemovalRef {
  profileId: string
  removedAtMs: number
  nowMs: number
}

/**
 * Restores the rows of a removal. Does not overwrite rows that exist again. Returns false when the removal does not
 * exist. Call it in a transaction.
 */
export async function restoreRemovedProgress(db: Db, removalRef: ProgressRemovalRef): Promise<boolean> {
  const { profileId, removedAtMs } = removalRef
  await lockProgress(db, profileId)
  for (const [table, removedTable] of TABLES_WITH_REMOVED_COPY) {
    const columns = joinTableColumns(table)
    await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${sql.table(removedTable)}
      where profile_id = ${profileId} and removed_at = ${removedAtMs} on conflict do nothing`.execute(db)
  }
  return eraseRemovedProgress(db, removalRef)
}

/**
 * Permanently deletes the rows of a removal. If it was the last removal, Undo has nothing to restore afterwards.
 * Returns false when the removal does not exist. Call it in a transaction.
 */
export async function eraseRemovedProgress(
  db: Db,
  { profileId, removedAtMs, nowMs }: ProgressRemovalRef,
): Promise<boolean> {
  await lockProgress(db, profileId)
  const removals = await selectProgressRemovals(db, profileId, removedAtMs)
  const removal = removals.at(-1)
  if (removal?.removedAtMs !== removedAtMs) return false
  for (const [, removedTable] of TABLES_WITH_REMOVED_COPY)
    await db
      .deleteFrom(removedTable)
      .where('profile_id', '=', profileId)
      .where('removed_at', '=', removedAtMs)
      .execute()
  if (removals.length === 1) await markNothingToUndo(db, { profileId, titleId: removal.titleId, nowMs })
  return true
}

/** Permanently deletes removed progress and viewings that can no longer be restored. */
export async function deleteExpiredRemovedProgress(db: Db, nowMs: number): Promise<void> {
  for (const [, removedTable] of TABLES_WITH_REMOVED_COPY)
    await db
      .deleteFrom(removedTable)
      .where('removed_at', '<=', nowMs - BIN_RETENTION_MS)
      .execute()
}
