/** The input of merging: the rows of a file for one title, and the change set to merge them into. */
import type { HistoryRow } from '../../importers/history/history-row.ts'
import type { CatalogueTitle } from './catalogue-candidates.ts'
import type { ImportTargetList } from './import-lists.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'

/** A row with its season and episode number, which are `UNKNOWN_NUMBER` if unknown and 0 for movies. */
export interface NumberedRow {
  row: HistoryRow
  season: number
  episode: number
  /** Number of the row in the import, which orders the titles of a list. */
  rowNumber?: number
}

export interface TitleMerge {
  title: CatalogueTitle
  rows: readonly NumberedRow[]
  changeSet: TrackingChangeSet
  nowMs: number
  /** Time of the import in ms, for rows that need a time but have no time. */
  importedAtMs: number
  /** Named lists by name, for rows that belong to a list. */
  listsByName?: ReadonlyMap<string, ImportTargetList>
}
