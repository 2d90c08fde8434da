/** Writing what a dry run found, and taking it back. Both go in short transactions and can be stopped and begun again. */
import type { Deps } from '../../deps.ts'
import type { HistoryRow } from '../../importers/history/row.ts'
import {
  type ChangeRow,
  deleteChanges,
  insertChanges,
  lastChange,
  latestChanges,
} from '../../queries/history-change.ts'
import { type ImportRow, updateImport } from '../../queries/history-import.ts'
import { type PlaceCursor, placedRows } from '../../queries/history-import-row.ts'
import type { Audience } from '../../queries/scope.ts'
import { type Row, type RowKind, rowText } from '../../queries/tracking-rows.ts'
import { breather } from './breathe.ts'
import { Candidates } from './candidates.ts'
import { byFile } from './files.ts'
import { mergeTitle } from './merge.ts'
import { UNKNOWN } from './place.ts'
import { openLedger, writeLedger } from './tracking-state.ts'

/** Rows in one transaction: others wait for the writer no longer than some tens of milliseconds. */
const BATCH = 400
/** A place with more rows than this is merged in pieces. */
const LONGEST = 2_000

interface Applying {
  run: ImportRow
  audience: Audience
  owners: readonly string[] | undefined
}

/** Answers how many rows it changed. */
export async function apply(deps: Deps, { run, audience, owners }: Applying): Promise<number> {
  const { primary, reader } = deps.database
  const source = new Candidates(reader, audience)
  const breathe = breather()
  let after: PlaceCursor = { title_id: 0, season_number: UNKNOWN - 1, episode_number: UNKNOWN, n: 0 }
  let seq = await lastChange(primary, run.import_id)
  let done = 0
  let changed = 0
  for (;;) {
    const rows = await wholePlaces(primary, run.import_id, { after, owners })
    if (rows.length === 0) return changed
    const last = rows.at(-1)
    if (last) after = last
    const byTitle = Map.groupBy(rows, (row) => row.title_id)
    const ids = [...byTitle.keys()]
    await source.prepare([], ids)
    await breathe()
    changed += await primary.transaction().execute(async (trx) => {
      const ledger = await openLedger(trx, run.profile_id, ids)
      for (const [id, some] of byTitle) {
        const title = source.byId(id)
        await breathe()
        if (!title) continue
        const placed = some.map((row) => ({
          file: row.file,
          row: { ...(JSON.parse(row.data) as HistoryRow), ...(readingOf(row) ?? {}) },
          season: row.season_number,
          episode: row.episode_number,
        }))
        for (const rows of byFile(placed)) {
          mergeTitle({ title, rows, ledger, now: deps.now(), importedAt: run.created_at })
        }
      }
      const changes = ledger.changes()
      await writeLedger(trx, run.profile_id, { changes, breathe })
      await insertChanges(
        trx,
        changes.map(({ kind, before, after: now }) => {
          seq += 1
          const row = (now ?? before) as Row
          return {
            import_id: run.import_id,
            seq,
            kind,
            title_id: Number(row['title_id']),
            before: before && rowText(kind, before),
            after: now ? rowText(kind, now) : '',
          }
        }),
      )
      await updateImport(trx, run.import_id, { done: done + rows.length, heartbeat_at: deps.now() })
      return changes.length
    })
    done += rows.length
    await breathe()
  }
}

/** Rows after the cursor that end with a whole place, so that its viewings are looked at together. */
async function wholePlaces(
  db: Deps['database']['primary'],
  importId: string,
  { after, owners }: { after: PlaceCursor; owners: readonly string[] | undefined },
) {
  for (let limit = BATCH; ; limit *= 2) {
    const rows = await placedRows(db, importId, { after, owners, limit })
    const last = rows.at(-1)
    if (!last || rows.length < limit || limit >= LONGEST) return rows
    const whole = rows.findLastIndex((row) => !samePlace(row, last))
    if (whole >= 0) return rows.slice(0, whole + 1)
  }
}

const samePlace = (a: PlaceCursor, b: PlaceCursor) =>
  a.title_id === b.title_id && a.season_number === b.season_number && a.episode_number === b.episode_number

/** What the episode was called, where its number is not known. */
function readingOf(row: { episode_number: number; data: string }): Partial<HistoryRow> | null {
  if (row.episode_number !== UNKNOWN) return null
  const data = JSON.parse(row.data) as HistoryRow
  if (data.episodeTitle) return null
  const named = data.readings?.find((one) => one.type === 'tv' && one.episodeTitle)
  return named?.episodeTitle ? { episodeTitle: named.episodeTitle } : null
}

/** Changes in one transaction. */
const UNDO_BATCH = 300

/** Answers how many changes stayed, because somebody has changed the row since. */
export async function undo(deps: Deps, run: ImportRow): Promise<number> {
  const { primary } = deps.database
  const breathe = breather()
  let done = 0
  let stayed = 0
  for (;;) {
    const left = await primary.transaction().execute(async (trx) => {
      const changes = await latestChanges(trx, run.import_id, UNDO_BATCH)
      const last = changes.at(-1)
      if (!last) return null
      const ids = [...new Set(changes.map((one) => one.title_id))].sort((a, b) => a - b)
      const ledger = await openLedger(trx, run.profile_id, ids)
      await breathe()
      const kept = changes.filter((one) => !takeBack(ledger, one)).length
      await writeLedger(trx, run.profile_id, { changes: ledger.changes(), breathe })
      await deleteChanges(trx, run.import_id, last.seq)
      done += changes.length
      await updateImport(trx, run.import_id, { done, heartbeat_at: deps.now() })
      return kept
    })
    if (left === null) return stayed
    stayed += left
    await breathe()
  }
}

/** False when somebody has changed the row since. */
function takeBack(ledger: Awaited<ReturnType<typeof openLedger>>, change: ChangeRow): boolean {
  const kind = change.kind as RowKind
  const before = change.before === null ? null : (JSON.parse(change.before) as Row)
  const after = change.after === '' ? null : (JSON.parse(change.after) as Row)
  const key = (after ?? before) as Row
  const now = ledger.get(kind, key)
  if ((now && rowText(kind, now)) !== (after && change.after)) return false
  if (before) ledger.put(kind, before)
  else ledger.remove(kind, key)
  return true
}
