/**
 * Applies the rows of a dry run to the profile, and undoes it. Both use short transactions, and can be interrupted and started
 * again.
 */

import type { HistoryRow } from '../../importers/history/history-row.ts'
import {
  deleteHistoryChangesFrom,
  type HistoryChangeRow,
  insertHistoryChanges,
  selectLastChangeSeq,
  selectLatestHistoryChanges,
} from '../../queries/history-change.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import { type MatchedRowCursor, selectMatchedRows } from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { serialiseTrackingRow, type TrackingRow, type TrackingRowKind } from '../../queries/tracking-row.ts'
import type { Deps } from '../deps.ts'
import { CatalogueCandidates } from './catalogue-candidates.ts'
import { loadChangeSet, writeChangeSet } from './change-set-storage.ts'
import { mergeTitle } from './merge-title.ts'
import { groupRowsByFile } from './rows-by-file.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/** Rows in one transaction. It keeps the time that other writers wait to some tens of milliseconds. */
const APPLY_BATCH_SIZE = 400
/** An episode with more rows than this is merged in several batches. */
const MAX_BATCH_SIZE = 2_000

interface ApplyRequest {
  run: HistoryImportRun
  audience: Audience
  /** Names of the profiles in the file whose rows are applied; undefined for all. */
  owners: readonly string[] | undefined
}

/** Applies the matched rows and returns the number of changed database rows. */
export async function applyImportRows(deps: Deps, { run, audience, owners }: ApplyRequest): Promise<number> {
  const { primary, reader } = deps.database
  const catalogue = new CatalogueCandidates(reader, audience)
  const yieldToEventLoop = createEventLoopYield()
  let after: MatchedRowCursor = {
    title_id: 0,
    season_number: UNKNOWN_NUMBER - 1,
    episode_number: UNKNOWN_NUMBER,
    n: 0,
  }
  let sequence = await selectLastChangeSeq(primary, run.import_id)
  let doneCount = 0
  let changedCount = 0
  for (;;) {
    const rows = await readCompleteEpisodes(primary, run.import_id, { after, owners })
    if (rows.length === 0) return changedCount
    const lastRow = rows.at(-1)
    if (lastRow) after = lastRow
    const byTitle = Map.groupBy(rows, (row) => row.title_id)
    const titleIds = [...byTitle.keys()]
    await catalogue.preload([], titleIds)
    await yieldToEventLoop()
    changedCount += await primary.transaction().execute(async (trx) => {
      const changeSet = await loadChangeSet(trx, run.profile_id, titleIds)
      for (const [titleId, titleRows] of byTitle) {
        const title = catalogue.getById(titleId)
        await yieldToEventLoop()
        if (!title) continue
        const placedRowsOfTitle = titleRows.map((row) => ({
          file: row.file,
          row: { ...(JSON.parse(row.data) as HistoryRow), ...(episodeTitleOf(row) ?? {}) },
          season: row.season_number,
          episode: row.episode_number,
        }))
        for (const fileRows of groupRowsByFile(placedRowsOfTitle)) {
          mergeTitle({
            title,
            rows: fileRows,
            changeSet,
            nowMs: deps.now(),
            importedAtMs: run.created_at,
          })
        }
      }
      const changes = changeSet.changes()
      await writeChangeSet(trx, run.profile_id, { changes, yieldToEventLoop })
      await insertHistoryChanges(
        trx,
        changes.map(({ kind, before, after: newRow }) => {
          sequence += 1
          const row = (newRow ?? before) as TrackingRow
          return {
            import_id: run.import_id,
            seq: sequence,
            kind,
            title_id: Number(row['title_id']),
            before: before && serialiseTrackingRow(kind, before),
            after: newRow ? serialiseTrackingRow(kind, newRow) : '',
          }
        }),
      )
      await updateHistoryImport(trx, run.import_id, {
        done: doneCount + rows.length,
        heartbeat_at: deps.now(),
      })
      return changes.length
    })
    doneCount += rows.length
    await yieldToEventLoop()
  }
}

/**
 * Reads the rows after the cursor and omits the last episode if it may be incomplete, because the rows of an episode must be
 * merged together.
 */
async function readCompleteEpisodes(
  db: Deps['database']['primary'],
  importId: string,
  { after, owners }: { after: MatchedRowCursor; owners: readonly string[] | undefined },
) {
  for (let limit = APPLY_BATCH_SIZE; ; limit *= 2) {
    const rows = await selectMatchedRows(db, importId, { after, owners, limit })
    const last = rows.at(-1)
    if (!last || rows.length < limit || limit >= MAX_BATCH_SIZE) return rows
    const lastCompleteIndex = rows.findLastIndex((row) => !isSameEpisode(row, last))
    if (lastCompleteIndex >= 0) return rows.slice(0, lastCompleteIndex + 1)
  }
}

const isSameEpisode = (a: MatchedRowCursor, b: MatchedRowCursor) =>
  a.title_id === b.title_id && a.season_number === b.season_number && a.episode_number === b.episode_number

/** The episode title of an alternative reading, for rows without an episode number. */
function episodeTitleOf(row: { episode_number: number; data: string }): Partial<HistoryRow> | null {
  if (row.episode_number !== UNKNOWN_NUMBER) return null
  const data = JSON.parse(row.data) as HistoryRow
  if (data.episodeTitle) return null
  const reading = data.readings?.find(({ type, episodeTitle }) => type === 'tv' && episodeTitle)
  return reading?.episodeTitle ? { episodeTitle: reading.episodeTitle } : null
}

/** Changes that are undone in one transaction. */
const UNDO_BATCH_SIZE = 300

/**
 * Undoes an import, the newest changes first. Returns the number of changes that stay because their row was modified after
 * the import.
 */
export async function undoImportChanges(deps: Deps, run: HistoryImportRun): Promise<number> {
  const { primary } = deps.database
  const yieldToEventLoop = createEventLoopYield()
  let doneCount = 0
  let keptCount = 0
  for (;;) {
    const keptInBatch = await primary.transaction().execute(async (trx) => {
      const changes = await selectLatestHistoryChanges(trx, run.import_id, UNDO_BATCH_SIZE)
      const last = changes.at(-1)
      if (!last) return null
      const titleIds = [...new Set(changes.map((change) => change.title_id))].sort((a, b) => a - b)
      const changeSet = await loadChangeSet(trx, run.profile_id, titleIds)
      await yieldToEventLoop()
      const keptCountInBatch = changes.filter((change) => !undoChange(changeSet, change)).length
      await writeChangeSet(trx, run.profile_id, { changes: changeSet.changes(), yieldToEventLoop })
      await deleteHistoryChangesFrom(trx, run.import_id, last.seq)
      doneCount += changes.length
      await updateHistoryImport(trx, run.import_id, { done: doneCount, heartbeat_at: deps.now() })
      return keptCountInBatch
    })
    if (keptInBatch === null) return keptCount
    keptCount += keptInBatch
    await yieldToEventLoop()
  }
}

/** Restores the row as it was before the import. Returns false if the row was modified after the import. */
function undoChange(changeSet: Awaited<ReturnType<typeof loadChangeSet>>, change: HistoryChangeRow): boolean {
  const kind = change.kind as TrackingRowKind
  const before = change.before === null ? null : (JSON.parse(change.before) as TrackingRow)
  const after = change.after === '' ? null : (JSON.parse(change.after) as TrackingRow)
  const key = (after ?? before) as TrackingRow
  const current = changeSet.get(kind, key)
  if ((current && serialiseTrackingRow(kind, current)) !== (after && change.after)) return false
  if (before) changeSet.set(kind, before)
  else changeSet.delete(kind, key)
  return true
}
