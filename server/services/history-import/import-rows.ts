/** Shows the rows of a dry run with their matches and candidates, and stores decisions of the user about them. */

import type {
  ImportArchiveFile,
  ImportedRow as ImportedRowView,
} from '../../../src/lib/contract/history-transfer.ts'
import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import { Problem } from '../../core/problem.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import { matchTitle } from '../../importers/history/match-title.ts'
import { deleteUndoneHistoryChanges } from '../../queries/history-change.ts'
import {
  type HistoryImportRun,
  updateHistoryImport,
  upsertHistoryChoice,
} from '../../queries/history-import.ts'
import {
  type HistoryFileRow,
  recountHistoryRowGroups,
  selectHistoryFileRowsByKey,
  selectHistoryFileRowsByNumber,
  selectHistoryRowGroups,
  selectOutcomeCounts,
  selectSkippedRows,
  updateHistoryFileRow,
} from '../../queries/history-import-row.ts'
import { selectEpisodeRanges, toEpisodeRangeKey } from '../../queries/imported-episodes.ts'
import type { PageRequest } from '../../queries/page.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import type { ProfileContext } from '../context.ts'
import { toPage } from '../page.ts'
import { CatalogueCandidates, type CatalogueTitle } from './catalogue-candidates.ts'
import { toImportRun } from './import-run-state.ts'
import { loadImportRun } from './import-runs.ts'
import { markReassignedRow } from './reassigned-rows.ts'
import { selectRowEffects } from './row-effects.ts'
import { assignTitle } from './row-outcome.ts'
import { UNKNOWN_NUMBER } from './season-episode.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

const MAX_LISTED_CANDIDATES = 6
const ROWS_PER_BATCH = 200

interface ImportRowsQuery extends PageRequest {
  outcome: string
}

/**
 * Returns an import with a page of its rows. Rows with the same outcome, title and row key (`ChoiceKeys`) are grouped,
 * because one decision of the user applies to all of them. Throws 404 if the profile has no import with this id.
 */
export async function loadImportWithRows(
  context: ProfileContext,
  importId: string,
  { page, limit, outcome }: ImportRowsQuery,
) {
  const { primary } = context.deps.database
  const run = await loadImportRun(context, importId)
  const { rows: groups, total } = await selectHistoryRowGroups(primary, importId, { outcome, page, limit })
  const rows =
    outcome === 'skipped'
      ? await selectSkippedRows(primary, importId, { page, limit })
      : await selectHistoryFileRowsByNumber(
          primary,
          importId,
          groups.map((group) => group.first),
        )
  const countsByRowNumber = new Map(groups.map((group) => [group.first, group.count]))
  const orderByRowNumber = new Map(groups.map((group, index) => [group.first, index]))
  const files = JSON.parse(run.files) as ImportArchiveFile[]
  const rowViews = await toRowViews(context, rows, {
    importId,
    countsByRowNumber: outcome === 'skipped' ? new Map() : countsByRowNumber,
    files,
  })
  if (outcome !== 'skipped')
    rowViews.sort((a, b) => (orderByRowNumber.get(a.n) ?? 0) - (orderByRowNumber.get(b.n) ?? 0))
  const totalResults = outcome === 'skipped' ? toImportRun(context, run).rows.skipped : total
  return {
    ...toImportRun(context, run),
    owners: JSON.parse(run.owners) as { name: string; count: number }[],
    files,
    list: toPage({ page, limit }, totalResults, rowViews),
  }
}

interface RowViewContext {
  importId: string
  /** Number of rows in the group that a row represents, by row number. */
  countsByRowNumber: ReadonlyMap<number, number>
  files: readonly ImportArchiveFile[]
}

async function toRowViews(
  { deps, caller }: ProfileContext,
  rows: HistoryFileRow[],
  { importId, countsByRowNumber, files }: RowViewContext,
) {
  const { reader } = deps.database
  const catalogue = new CatalogueCandidates(reader, caller.audience)
  const parsedRows = rows.map((row) => ({ row, historyRow: JSON.parse(row.data) as Partial<HistoryRow> }))
  const undecidedRows = parsedRows.filter(
    ({ row }) => row.outcome === 'ambiguous' || row.outcome === 'unmatched',
  )
  await catalogue.preload(undecidedRows.map(({ historyRow }) => historyRow as HistoryRow))
  const candidateIdsByRowNumber = new Map<number, number[]>()
  for (const { row, historyRow } of undecidedRows) {
    const match = await matchTitle(historyRow as HistoryRow, catalogue)
    candidateIdsByRowNumber.set(
      row.n,
      match.candidates.slice(0, MAX_LISTED_CANDIDATES).map((candidate) => (candidate as CatalogueTitle).id),
    )
  }
  const matchedIds = rows.flatMap((row) => row.title_id ?? [])
  const titleIds = [...candidateIdsByRowNumber.values()].flat().concat(matchedIds)
  const episodeRangesByKey = await selectEpisodeRanges(reader, importId, [...new Set(matchedIds)])
  const effectsByRowNumber = await selectRowEffects(deps.database.primary, rows, countsByRowNumber)
  const titles = await selectTitlesByIds(reader, caller.audience, [...new Set(titleIds)])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  return parsedRows.map(({ row, historyRow }): ImportedRowView => {
    const reading = findDisplayedReading(row, historyRow)
    const episodeRange = episodeRangesByKey.get(toEpisodeRangeKey(row)) ?? getSingleEpisodeRange(historyRow)
    return {
      n: row.n,
      count: countsByRowNumber.get(row.n) ?? 1,
      file: files[row.file]?.name ?? null,
      line: row.line,
      outcome: row.outcome as ImportedRowView['outcome'],
      why: row.why,
      title: reading.title ?? '',
      year: historyRow.year ?? null,
      type: reading.type ?? null,
      effects: effectsByRowNumber.get(row.n)?.effects ?? [],
      rating: effectsByRowNumber.get(row.n)?.rating ?? null,
      episodes: episodeRange,
      episode_text:
        (countsByRowNumber.get(row.n) ?? 1) === 1 ? describeEpisode(historyRow, episodeRange !== null) : null,
      at: historyRow.at ?? null,
      match: (row.title_id !== null && cardsById.get(row.title_id)) || null,
      candidates: (candidateIdsByRowNumber.get(row.n) ?? []).flatMap(
        (titleId) => cardsById.get(titleId) ?? [],
      ),
    }
  })
}

/**
 * Returns the episode of a row as a range of one episode. Returns null if the file lacks the season number or
 * the episode number.
 */
function getSingleEpisodeRange({ season, episode }: Partial<HistoryRow>) {
  if (season === undefined || episode === undefined) return null
  return { first: { season, episode }, last: { season, episode } }
}

/**
 * Returns the names of the season and the episode in the file, such as `Saison 2 · Le Procès`. The name of
 * the season is omitted if its number is known.
 */
function describeEpisode(historyRow: Partial<HistoryRow>, isEpisodeNumberKnown: boolean): string | null {
  const reading = [historyRow, ...(historyRow.readings ?? [])].find(({ episodeTitle }) => episodeTitle)
  const nameParts = [isEpisodeNumberKnown ? null : reading?.seasonName, reading?.episodeTitle].filter(Boolean)
  return nameParts.length > 0 ? nameParts.join(' · ') : null
}

/**
 * Returns the reading whose title is displayed. If the row represents several episodes, returns the reading with the
 * name of the series.
 */
function findDisplayedReading(row: HistoryFileRow, historyRow: Partial<HistoryRow>) {
  if (row.row_key === row.text_key) return historyRow
  const foldedTitle = row.row_key.split('|')[1]
  return (
    historyRow.readings?.find(
      (reading) => reading.type === 'tv' && foldTitle(reading.title) === foldedTitle,
    ) ?? historyRow
  )
}

/**
 * Assigns a title to a row and to all rows to which the same decision applies. If `mediaId` is null, ignores these rows
 * instead. Returns the number of these rows. Throws 404 if the import or the row does not exist, if the row was
 * skipped, or if the profile may not see the title. Throws 409 unless the status of the import is `ready`, `applied` or
 * `undone`.
 */
export async function assignImportRow(
  context: ProfileContext,
  { importId, n: rowNumber }: { importId: string; n: number },
  mediaId: string | null,
): Promise<{ rows: number }> {
  const { deps, caller } = context
  const { primary, reader } = deps.database
  const run = await loadImportRun(context, importId)
  // If the process that applied or undid the import has ended, the stored status is still `applying` or `undoing`, but
  // `toImportRun` returns `applied`.
  const { status } = toImportRun(context, run)
  if (!['ready', 'applied', 'undone'].includes(status)) {
    throw new Problem('conflict', { errors: { import: [status] } })
  }
  const [row] = await selectHistoryFileRowsByNumber(primary, importId, [rowNumber])
  if (!row || row.outcome === 'skipped') throw new Problem('not_found')
  const catalogue = new CatalogueCandidates(reader, caller.audience)
  const titleId = mediaId === null ? null : parseId(mediaId)
  if (titleId !== null) await catalogue.preload([], [titleId])
  const title = titleId === null ? null : catalogue.getById(titleId)
  if (title === undefined) throw new Problem('not_found')
  // A decision for a series applies to all its episodes. The decision to ignore a row without a title applies to all
  // rows with the same row key. A decision for a movie applies only to the text of the row, because sequels of the
  // movie may have the same prefix.
  const shouldApplyToSeries = title?.type === 'tv' || (title === null && row.title_id === null)
  const choiceKeys = { rowKey: row.row_key, textKey: shouldApplyToSeries ? null : row.text_key }
  // The stored changes of an undone import do not match the new decision. After they are deleted, the rows are
  // merged again when the import is applied.
  await deleteUndoneHistoryChanges(primary, importId)
  await upsertHistoryChoice(primary, {
    profile_id: run.profile_id,
    text_key: choiceKeys.textKey ?? choiceKeys.rowKey,
    title_id: titleId,
    updated_at: deps.now(),
  })
  const isImportApplied = status === 'applied'
  return { rows: await updateRowsOfDecision(context, { run, isImportApplied, title, ...choiceKeys }) }
}

interface RowDecision {
  run: HistoryImportRun
  /** True if rows of the import may already have been applied. */
  isImportApplied: boolean
  rowKey: string
  textKey: string | null
  title: CatalogueTitle | null
}

async function updateRowsOfDecision(
  context: ProfileContext,
  { run, isImportApplied, rowKey, textKey, title }: RowDecision,
): Promise<number> {
  const { import_id: importId } = run
  const { deps } = context
  const { primary } = deps.database
  const yieldToEventLoop = createEventLoopYield()
  let lastRowNumber = -1
  let updatedRowCount = 0
  for (;;) {
    const rows = await selectHistoryFileRowsByKey(primary, importId, {
      rowKey,
      textKey,
      afterRowNumber: lastRowNumber,
      limit: ROWS_PER_BATCH,
    })
    if (rows.length === 0) break
    await primary.transaction().execute(async (trx) => {
      for (const row of rows) {
        const assignment = title
          ? { ...assignTitle(JSON.parse(row.data) as HistoryRow, title), outcome: 'chosen' }
          : {
              title_id: null,
              season_number: UNKNOWN_NUMBER,
              episode_number: UNKNOWN_NUMBER,
              outcome: 'ignored',
            }
        await updateHistoryFileRow(trx, importId, row.n, {
          ...assignment,
          ...(isImportApplied && { data: markReassignedRow(row) }),
          why: 'by_hand',
          score: 1,
        })
      }
    })
    lastRowNumber = rows.at(-1)?.n ?? lastRowNumber
    updatedRowCount += rows.length
    await yieldToEventLoop()
  }
  await recountHistoryRowGroups(primary, importId, rowKey)
  const skippedCount = toImportRun({ deps }, await loadImportRun(context, importId)).rows.skipped
  const rowCounts = {
    ...(await selectOutcomeCounts(primary, importId)),
    ...(skippedCount > 0 && { skipped: skippedCount }),
  }
  await updateHistoryImport(primary, importId, { counts: JSON.stringify(rowCounts) })
  return updatedRowCount
}
