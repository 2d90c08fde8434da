/**
 * Numbers and counts the rows while they are read. An import can then be displayed without counting its rows
 * in the database.
 */
import { MAX_PEOPLE_PER_IMPORT } from '../../../src/lib/rules/tracking-limits.ts'
import {
  type HistoryFileRow,
  type HistoryRowGroup,
  toDisplayedOutcome,
} from '../../queries/history-import-row.ts'
import type { DecidedRow } from './row-outcome.ts'

/**
 * Maximum number of owners whose rows are counted. Only MAX_PEOPLE_PER_IMPORT of them are returned, but a file can
 * contain a different name in each row.
 */
const MAX_COUNTED_OWNERS = 1_000
/**
 * Maximum number of stored rows of an import. The longest known histories have 200,000 rows. Without a limit, a file of
 * 200 MB with very short rows would take several gigabytes in the database.
 */
export const MAX_IMPORT_ROWS = 500_000

/** Thrown when the files of an import have more rows than MAX_IMPORT_ROWS. */
export class TooManyRowsError extends Error {}

export class ImportRowCounter {
  readonly #importId: string
  #lastNumber = 0
  readonly #rowCountByOutcome = new Map<string, number>()
  readonly #rowCountByOwner = new Map<string, number>()
  readonly #rowCountByFile = new Map<number, number>()
  #groups = new Map<string, HistoryRowGroup>()

  constructor(importId: string) {
    this.#importId = importId
  }

  /** Returns the row with its number and counts it. Throws `TooManyRowsError`. */
  assignRowNumber(row: DecidedRow, fileIndex: number): HistoryFileRow {
    this.#lastNumber += 1
    if (this.#lastNumber > MAX_IMPORT_ROWS) throw new TooManyRowsError('the import has too many rows')
    this.countRow(row.outcome, fileIndex)
    const ownerRowCount = this.#rowCountByOwner.get(row.owner)
    const isOwnerCounted = ownerRowCount !== undefined || this.#rowCountByOwner.size < MAX_COUNTED_OWNERS
    if (row.owner && isOwnerCounted) this.#rowCountByOwner.set(row.owner, (ownerRowCount ?? 0) + 1)
    const { row_key } = row
    const outcome = toDisplayedOutcome(row.outcome)
    const titleId = row.title_id ?? 0
    const groupKey = `${outcome} ${titleId} ${row_key}`
    const group = this.#groups.get(groupKey)
    if (group) group.count += 1
    else {
      const newGroup = {
        import_id: this.#importId,
        outcome,
        row_key,
        title_id: titleId,
        first: this.#lastNumber,
        count: 1,
      }
      this.#groups.set(groupKey, newGroup)
    }
    return { import_id: this.#importId, n: this.#lastNumber, file: fileIndex, ...row }
  }

  /** Counts a row by file and outcome. Only rows that are not stored need this call (see `assignRowNumber`). */
  countRow(outcome: string, fileIndex: number): void {
    this.#rowCountByFile.set(fileIndex, this.countRowsOfFile(fileIndex) + 1)
    this.#rowCountByOutcome.set(outcome, (this.#rowCountByOutcome.get(outcome) ?? 0) + 1)
  }

  countRowsOfFile(fileIndex: number): number {
    return this.#rowCountByFile.get(fileIndex) ?? 0
  }

  /**
   * Returns the groups of the rows that were numbered since the last call. The rows of a group have the same outcome,
   * title and row key.
   */
  takeNewGroups(): HistoryRowGroup[] {
    const groups = [...this.#groups.values()]
    this.#groups = new Map()
    return groups
  }

  /** Returns the counts as JSON columns of the import. */
  toColumns(): { counts: string; owners: string } {
    const owners = [...this.#rowCountByOwner]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_PEOPLE_PER_IMPORT)
    return {
      counts: JSON.stringify(Object.fromEntries(this.#rowCountByOutcome)),
      owners: JSON.stringify(owners.map(([name, count]) => ({ name, count }))),
    }
  }
}
