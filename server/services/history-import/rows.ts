/** Rows of a dry run for people: what they say, what they were taken for, what they might be; and deciding by hand. */
import type { ImportedRow as RowView } from '../../../src/lib/contract/transfer.ts'
import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import { matchTitle } from '../../importers/history/match-title.ts'
import type { HistoryRow } from '../../importers/history/row.ts'
import { Problem } from '../../problem.ts'
import { titlesByIds } from '../../queries/catalogue.ts'
import { putChoice, updateImport } from '../../queries/history-import.ts'
import {
  countOutcomes,
  groupsOf,
  type ImportedRow,
  recountGroup,
  rowsByNumber,
  rowsOfKey,
  skippedRows,
  updateImportedRow,
} from '../../queries/history-import-row.ts'
import { cardsById, titleLanguage } from '../cards.ts'
import { idOf } from '../catalogue.ts'
import type { ProfileContext as By } from '../context.ts'
import { breather } from './breathe.ts'
import { Candidates, type CatalogueTitle } from './candidates.ts'
import { chosen } from './decide.ts'
import { UNKNOWN } from './place.ts'
import type { ToldFile } from './read.ts'
import { runOf, viewOf } from './runs.ts'

const CANDIDATES_SHOWN = 6
const BATCH = 200

interface Query {
  page: number
  limit: number
  outcome: string
}

export async function view(by: By, importId: string, { page, limit, outcome }: Query) {
  const { primary } = by.deps.database
  const run = await runOf(by, importId)
  const { groups, total } = await groupsOf(primary, importId, { outcome, page, limit })
  const rows =
    outcome === 'skipped'
      ? await skippedRows(primary, importId, { page, limit })
      : await rowsByNumber(
          primary,
          importId,
          groups.map((one) => one.first),
        )
  const counts = new Map(groups.map((one) => [one.first, one.count]))
  const order = new Map(groups.map((one, at) => [one.first, at]))
  const files = JSON.parse(run.files) as ToldFile[]
  const results = await rowViews(by, rows, { counts: outcome === 'skipped' ? new Map() : counts, files })
  if (outcome !== 'skipped') results.sort((a, b) => (order.get(a.n) ?? 0) - (order.get(b.n) ?? 0))
  const found = outcome === 'skipped' ? viewOf(by, run).rows.skipped : total
  return {
    ...viewOf(by, run),
    owners: JSON.parse(run.owners) as { name: string; count: number }[],
    files,
    list: { page, limit, total_results: found, total_pages: Math.ceil(found / limit), results },
  }
}

interface Told {
  /** Rows that one stands for, by its number. */
  counts: ReadonlyMap<number, number>
  files: readonly ToldFile[]
}

async function rowViews({ deps, caller }: By, rows: ImportedRow[], { counts, files }: Told) {
  const { reader } = deps.database
  const source = new Candidates(reader, caller.audience)
  const read = rows.map((row) => ({ row, data: JSON.parse(row.data) as Partial<HistoryRow> }))
  const open = read.filter(({ row }) => row.outcome === 'ambiguous' || row.outcome === 'unmatched')
  await source.prepare(open.map(({ data }) => data as HistoryRow))
  const candidates = new Map<number, number[]>()
  for (const { row, data } of open) {
    const match = await matchTitle(data as HistoryRow, source)
    candidates.set(
      row.n,
      match.candidates.slice(0, CANDIDATES_SHOWN).map((one) => (one as CatalogueTitle).id),
    )
  }
  const ids = [...candidates.values()].flat().concat(rows.flatMap((row) => row.title_id ?? []))
  const titles = await titlesByIds(reader, caller.audience, [...new Set(ids)])
  const cards = await cardsById(deps, titles, titleLanguage(caller))
  return read.map(({ row, data }): RowView => {
    const spoken = spokenOf(row, data)
    return {
      n: row.n,
      count: counts.get(row.n) ?? 1,
      file: files[row.file]?.name ?? null,
      line: row.line,
      outcome: row.outcome as RowView['outcome'],
      why: row.why,
      title: spoken.title ?? '',
      year: data.year ?? null,
      type: spoken.type ?? null,
      at: data.at ?? null,
      match: (row.title_id !== null && cards.get(row.title_id)) || null,
      candidates: (candidates.get(row.n) ?? []).flatMap((id) => cards.get(id) ?? []),
    }
  })
}

/** A row that stands for the episodes of a show is shown by the show's name. */
function spokenOf(row: ImportedRow, data: Partial<HistoryRow>) {
  if (row.row_key === row.text_key) return data
  const name = row.row_key.split('|')[1]
  return data.readings?.find((one) => one.type === 'tv' && foldTitle(one.title) === name) ?? data
}

/** Answers for how many rows it holds. Throws 404 for a title the profile may not know of. */
export async function resolve(
  by: By,
  { importId, n }: { importId: string; n: number },
  mediaId: string | null,
): Promise<{ rows: number }> {
  const { deps, caller } = by
  const { primary, reader } = deps.database
  const run = await runOf(by, importId)
  if (!['ready', 'applied', 'undone'].includes(run.status)) {
    throw new Problem('conflict', { errors: { import: [run.status] } })
  }
  const [row] = await rowsByNumber(primary, importId, [n])
  if (!row || row.outcome === 'skipped') throw new Problem('not_found')
  const source = new Candidates(reader, caller.audience)
  const titleId = mediaId === null ? null : idOf(mediaId)
  if (titleId !== null) await source.prepare([], [titleId])
  const title = titleId === null ? null : source.byId(titleId)
  if (title === undefined) throw new Problem('not_found')
  // A film is one text; the same beginning may be that of its sequels.
  const wide = title?.type === 'tv' || (title === null && row.title_id === null)
  const key = { rowKey: row.row_key, textKey: wide ? null : row.text_key }
  await putChoice(primary, {
    profile_id: run.profile_id,
    text_key: key.textKey ?? key.rowKey,
    title_id: titleId,
    updated_at: deps.now(),
  })
  return { rows: await decideAll(by, { importId, title, ...key }) }
}

interface Decision {
  importId: string
  rowKey: string
  textKey: string | null
  title: CatalogueTitle | null
}

async function decideAll(by: By, { importId, rowKey, textKey, title }: Decision): Promise<number> {
  const { deps } = by
  const { primary } = deps.database
  const breathe = breather()
  let after = -1
  let count = 0
  for (;;) {
    const rows = await rowsOfKey(primary, importId, { rowKey, textKey, after, limit: BATCH })
    if (rows.length === 0) break
    await primary.transaction().execute(async (trx) => {
      for (const row of rows) {
        const place = title
          ? { ...chosen(JSON.parse(row.data) as HistoryRow, title), outcome: 'chosen' }
          : { title_id: null, season_number: UNKNOWN, episode_number: UNKNOWN, outcome: 'ignored' }
        await updateImportedRow(trx, importId, row.n, { ...place, why: 'by_hand', score: 1 })
      }
    })
    after = rows.at(-1)?.n ?? after
    count += rows.length
    await breathe()
  }
  await recountGroup(primary, importId, rowKey)
  const skipped = viewOf({ deps }, await runOf(by, importId)).rows.skipped
  const counts = { ...(await countOutcomes(primary, importId)), ...(skipped > 0 && { skipped }) }
  await updateImport(primary, importId, { counts: JSON.stringify(counts) })
  return count
}
