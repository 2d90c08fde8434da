/**
 * Lists the effects of rows of an import on the profile, such as a viewing or a rating, so that they can be displayed.
 */
import type { ImportedRow } from '../../../src/lib/contract/history-transfer.ts'
import type { Db } from '../../db/database.ts'
import type { HistoryRow } from '../../importers/history/history-row.ts'
import { type HistoryFileRow, selectHistoryFileRowsByKey } from '../../queries/history-import-row.ts'

/**
 * Maximum number of rows of a group that are read to list its effects. A group may contain all episodes of a series.
 */
const MAX_DESCRIBED_ROWS = 50

type RowEffects = Pick<ImportedRow, 'effects' | 'rating'>

/** Returns the effects of the group of each row, by row number. `countsByRowNumber` has the sizes of the groups. */
export async function selectRowEffects(
  db: Db,
  rows: readonly HistoryFileRow[],
  countsByRowNumber: ReadonlyMap<number, number>,
): Promise<Map<number, RowEffects>> {
  const effectsByRowNumber = new Map<number, RowEffects>()
  for (const row of rows) {
    const isRowGroup = (countsByRowNumber.get(row.n) ?? 1) > 1
    const groupRows = isRowGroup
      ? await selectHistoryFileRowsByKey(db, row.import_id, {
          rowKey: row.row_key,
          textKey: null,
          afterRowNumber: row.n - 1,
          limit: MAX_DESCRIBED_ROWS,
        })
      : [row]
    effectsByRowNumber.set(row.n, describeRows(groupRows.map(({ data }) => JSON.parse(data))))
  }
  return effectsByRowNumber
}

function describeRows(rows: readonly Partial<HistoryRow>[]): RowEffects {
  const ratings = new Set(rows.flatMap(({ rating }) => rating ?? []))
  return {
    effects: [...new Set(rows.flatMap(listEffects))],
    rating: ratings.size === 1 ? ([...ratings][0] ?? null) : null,
  }
}

/**
 * Returns the effects of a row; none for a row that was skipped before its kind was known, and for the row of a list.
 */
function listEffects(row: Partial<HistoryRow>): RowEffects['effects'] {
  const { kind, rating, list, state, isAssumedViewing } = row
  if (kind === undefined || kind === 'list') return []
  if (kind === 'listed') return [list !== undefined ? 'named_list' : (state ?? 'planned')]
  const effectOfKind = kind === 'played' ? 'watched' : kind
  if (effectOfKind !== 'watched') return [effectOfKind]
  const viewingEffect = isAssumedViewing ? 'assumed_watched' : 'watched'
  return rating === undefined ? [viewingEffect] : [viewingEffect, 'rated']
}
