/**
 * Applies the rows of a dry run to the profile in short transactions. An interrupted run can be started
 * again.
 */

import { toIsoDate } from '../../core/dates.ts'
import type { Db } from '../../db/database.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import { insertHistoryChanges, selectLastChangeSeq } from '../../queries/history-change.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import { type MatchedRowCursor, selectMatchedRows } from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/title-scope.ts'
import { serialiseTrackingRow, type TrackingRow } from '../../queries/tracking-row.ts'
import type { Deps } from '../deps.ts'
import { completeWatchState } from '../viewings/series-completion.ts'
import { CatalogueCandidates, type CatalogueTitle } from './catalogue-candidates.ts'
import { loadChangeSet, writeChangeSet } from './change-set-storage.ts'
import { createImportedLists, type ImportTargetList } from './import-lists.ts'
import { mergeTitle } from './merge-title.ts'
import { groupRowsByFile } from './rows-by-file.ts'
import { findSeasonEpisode, selectReading, UNKNOWN_NUMBER } from './season-episode.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Number of rows in one transaction, unless the rows of one episode need more. The number is small, so that other
 * writers wait only for some tens of milliseconds.
 */
const APPLY_BATCH_SIZE = 400
/**
 * Maximum number of rows of one episode that are always merged together. The rows of an episode with more rows may be
 * split over several transactions.
 */
const MAX_BATCH_SIZE = 2_000

export interface ApplyImportRequest {
  run: HistoryImportRun
  audience: Audience
  /** Names of the owners (import-owners.ts) whose rows are applied; undefined for all owners. */
  owners: readonly string[] | undefined
  /** Ids of the titles whose rows are applied; absent for all titles. */
  titleIds?: ReadonlySet<number>
}

/** Applies the matched rows. */
export async function applyImportRows(deps: Deps, request: ApplyImportRequest): Promise<void> {
  const { run, audience, owners, titleIds } = request
  const { primary, reader } = deps.database
  const catalogue = new CatalogueCandidates(reader, audience)
  const yieldToEventLoop = createEventLoopYield()
  let cursor: MatchedRowCursor = {
    title_id: 0,
    season_number: UNKNOWN_NUMBER - 1,
    episode_number: UNKNOWN_NUMBER,
    n: 0,
  }
  const { listsByName, leftOutCount } = await createImportedLists(primary, { run, owners })
  await updateHistoryImport(primary, run.import_id, { counts: addLeftOutCount(run.counts, leftOutCount) })
  let doneCount = 0
  for (;;) {
    const rows = await readCompleteEpisodes(primary, run.import_id, { after: cursor, owners })
    const lastRow = rows.at(-1)
    if (!lastRow) return
    cursor = lastRow
    const rowsByTitle = Map.groupBy(
      titleIds ? rows.filter((row) => titleIds.has(row.title_id)) : rows,
      (row) => row.title_id,
    )
    await catalogue.preload([], [...rowsByTitle.keys()])
    await yieldToEventLoop()
    doneCount += rows.length
    const batch: ImportBatch = {
      run,
      rowsByTitle,
      listsByName,
      doneCount,
      nowMs: deps.now(),
      catalogue,
      yieldToEventLoop,
    }
    await primary.transaction().execute((trx) => applyImportBatch(trx, batch))
    await yieldToEventLoop()
  }
}

/**
 * Returns the counts of an import as JSON, with `left_out` set to `leftOutCount` (see `ImportedLists`). Omits
 * `left_out` if the count is 0.
 */
const addLeftOutCount = (counts: string, leftOutCount: number): string =>
  JSON.stringify({ ...(JSON.parse(counts) as object), left_out: leftOutCount || undefined })

/** In UTC-12, the last time zone, the date changes this much later than in UTC. */
const MAX_TIME_ZONE_LAG_MS = 12 * 3_600_000

interface ImportBatch {
  run: HistoryImportRun
  rowsByTitle: ReadonlyMap<number, MatchedRow[]>
  listsByName: ReadonlyMap<string, ImportTargetList>
  /** Number of rows that have been applied when this batch is complete. */
  doneCount: number
  nowMs: number
  catalogue: CatalogueCandidates
  yieldToEventLoop: () => Promise<void> | undefined
}
type MatchedRow = Awaited<ReturnType<typeof selectMatchedRows>>[number]

/** Applies the rows of some titles. */
async function applyImportBatch(trx: Db, batch: ImportBatch): Promise<void> {
  const { run, rowsByTitle, listsByName, doneCount, nowMs, catalogue, yieldToEventLoop } = batch
  const changeSet = await loadChangeSet(trx, run.profile_id, [...rowsByTitle.keys()])
  for (const [titleId, rows] of rowsByTitle) {
    const title = catalogue.getById(titleId)
    await yieldToEventLoop()
    if (!title) continue
    for (const fileRows of groupRowsByFile(rows.map((row) => toNumberedRow(row, title))))
      mergeTitle({
        title,
        rows: fileRows,
        changeSet,
        nowMs,
        importedAtMs: run.created_at,
        listsByName,
      })
  }
  completeChangedWatchStates(changeSet, batch)
  const changes = changeSet.listChanges()
  await writeChangeSet(trx, run.profile_id, { changes, yieldToEventLoop })
  const lastSequence = await selectLastChangeSeq(trx, run.import_id)
  await insertHistoryChanges(
    trx,
    changes.map(({ kind, before: rowBefore, after: rowAfter }, index) => ({
      import_id: run.import_id,
      seq: lastSequence + index + 1,
      kind,
      title_id: Number(((rowAfter ?? rowBefore) as TrackingRow)['title_id']),
      before: rowBefore && serialiseTrackingRow(kind, rowBefore),
      after: rowAfter ? serialiseTrackingRow(kind, rowAfter) : '',
    })),
  )
  await updateHistoryImport(trx, run.import_id, { done: doneCount, heartbeat_at: nowMs })
}

/**
 * Sets the watch state of a title to `completed` if everything is seen, for the titles whose progress or watchlist
 * entry the batch has changed. A Marquee export contains the watch states themselves, so its titles keep the state of
 * the file.
 */
function completeChangedWatchStates(changeSet: TrackingChangeSet, batch: ImportBatch): void {
  const { run, rowsByTitle, nowMs, catalogue } = batch
  if (run.source === 'marquee') return
  // An import runs without a device, so the earliest current date of all time zones is used. If a further episode is
  // already released by the date of the viewer, the state is displayed as `watching` (createWatchStateSql).
  const today = toIsoDate(nowMs - MAX_TIME_ZONE_LAG_MS)
  const changedTitleIds = new Set(
    changeSet
      .listChanges()
      .filter(({ kind }) => kind === 'progress' || kind === 'list')
      .map(({ before: rowBefore, after: rowAfter }) => (rowAfter ?? rowBefore)?.['title_id']),
  )
  for (const titleId of rowsByTitle.keys()) {
    const title = catalogue.getById(titleId)
    if (!title || !changedTitleIds.has(titleId)) continue
    const { type, episodes } = title
    completeWatchState({ title: { title_id: titleId, type }, episodes, changeSet, nowMs, today })
  }
}

function toNumberedRow(row: MatchedRow, title: CatalogueTitle) {
  const historyRow = JSON.parse(row.data) as HistoryRow
  return {
    file: row.file,
    row: { ...historyRow, ...findEpisodeTitle(historyRow) },
    ...findEpisodeNumbers(row, historyRow, title),
    rowNumber: row.n,
  }
}

/**
 * Returns the season and the episode that the dry run found. If the dry run found no episode, looks for the episode
 * again, because the catalogue may have received its name since the dry run.
 */
function findEpisodeNumbers(
  { season_number: season, episode_number: episode }: MatchedRow,
  historyRow: HistoryRow,
  title: CatalogueTitle,
) {
  if (episode !== UNKNOWN_NUMBER) return { season, episode }
  const seasonEpisode = findSeasonEpisode(title, selectReading(historyRow, title))
  return seasonEpisode.episode === UNKNOWN_NUMBER ? { season, episode } : seasonEpisode
}

/**
 * Reads the rows after the cursor. The rows of an episode must be merged together, so the rows of the last
 * episode are omitted if some of them may be missing.
 */
async function readCompleteEpisodes(
  db: Deps['database']['primary'],
  importId: string,
  { after: afterCursor, owners }: { after: MatchedRowCursor; owners: readonly string[] | undefined },
) {
  for (let rowLimit = APPLY_BATCH_SIZE; ; rowLimit = Math.min(rowLimit * 2, MAX_BATCH_SIZE)) {
    const rows = await selectMatchedRows(db, importId, { after: afterCursor, owners, limit: rowLimit })
    const lastRow = rows.at(-1)
    if (!lastRow || rows.length < rowLimit || rowLimit >= MAX_BATCH_SIZE) return rows
    const lastCompleteIndex = rows.findLastIndex((row) => !isSameEpisode(row, lastRow))
    if (lastCompleteIndex >= 0) return rows.slice(0, lastCompleteIndex + 1)
  }
}

const isSameEpisode = (a: MatchedRowCursor, b: MatchedRowCursor) =>
  a.title_id === b.title_id && a.season_number === b.season_number && a.episode_number === b.episode_number

/**
 * Returns the episode title of an alternative reading of a row. Returns null if the row has an episode title, or if no
 * reading has one. A row with an episode number needs the title too: an earlier import may have stored the same viewing
 * without a number, and this viewing is then found by its title.
 */
function findEpisodeTitle(historyRow: HistoryRow): Partial<HistoryRow> | null {
  if (historyRow.episodeTitle) return null
  const reading = historyRow.readings?.find(({ type, episodeTitle }) => type === 'tv' && episodeTitle)
  return reading?.episodeTitle ? { episodeTitle: reading.episodeTitle } : null
}
