/** The state of an import, as it is stored and as the API returns it. */
import type { ImportRun } from '../../../src/lib/contract/history-transfer.ts'
import { isHeartbeatExpired, toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import type { HistoryImportRun } from '../../queries/history-import.ts'
import type { ProfileContext } from '../context.ts'

/** An import that had no heartbeat for this long counts as interrupted: its process has probably ended. */
const HEARTBEAT_TIMEOUT_MS = 60_000
export const BUSY_STATUSES = ['reading', 'applying', 'undoing']

/** True while a process reads, applies or undoes the import. */
export function isRunBusy(row: HistoryImportRun, nowMs: number): boolean {
  return (
    BUSY_STATUSES.includes(row.status) && !isHeartbeatExpired(row.heartbeat_at, HEARTBEAT_TIMEOUT_MS, nowMs)
  )
}

/** Converts an import to its form in the API. */
export function toImportRun({ deps }: Pick<ProfileContext, 'deps'>, row: HistoryImportRun): ImportRun {
  const { left_out: leftOutCount = 0, ...countsByOutcome } = JSON.parse(row.counts) as Record<string, number>
  const countRows = (...outcomes: string[]) =>
    outcomes.reduce((sum, outcome) => sum + (countsByOutcome[outcome] ?? 0), 0)
  const wasInterrupted = BUSY_STATUSES.includes(row.status) && !isRunBusy(row, deps.now())
  return {
    import_id: row.import_id,
    file_name: row.file_name,
    source: row.source as ImportRun['source'],
    status: wasInterrupted ? getStatusAfterInterruption(row) : (row.status as ImportRun['status']),
    message: wasInterrupted ? 'interrupted' : row.message,
    done: row.done,
    total: row.total,
    rows: {
      total: countRows(...Object.keys(countsByOutcome)),
      matched: countRows('matched', 'chosen'),
      ambiguous: countRows('ambiguous'),
      unmatched: countRows('unmatched'),
      ignored: countRows('ignored'),
      skipped: countRows('skipped'),
      left_out: leftOutCount,
    },
    changed: row.changed,
    created_at: toIsoTime(row.created_at),
    applied_at: toIsoTimeOrNull(row.applied_at),
    undone_at: toIsoTimeOrNull(row.undone_at),
  }
}

/**
 * Returns the status of an interrupted import: `failed` for a dry run, because an incomplete dry run cannot be used. It
 * is `applied` for other imports, because applying and undoing can be repeated.
 */
const getStatusAfterInterruption = (row: HistoryImportRun) =>
  row.status === 'reading' ? 'failed' : 'applied'
