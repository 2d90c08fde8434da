/** Tables of history imports. */
import type { TimestampMs } from './column-types.ts'

export interface HistoryImportTables {
  /** An import of a history file. The file is deleted after it has been read. */
  history_import: {
    import_id: string
    profile_id: string
    file_name: string
    /** SHA-256 of the content of the file. */
    file_hash: string
    source: string | null
    status: string
    /** Progress: bytes while the file is read, rows while they are applied, changes while they are undone. */
    done: number
    total: number
    /**
     * Number of changes of viewings, progress rows, ratings and list entries that are not undone; not a number of rows
     * of the file.
     */
    changed: number
    message: string | null
    /**
     * JSON: `counts` contains the number of rows by outcome and, as `left_out`, the number of titles that do not fit in
     * their list. `owners` contains the number of rows by profile name in the file.
     */
    counts: string
    owners: string
    /** JSON: the files of an archive and the outcome of each. */
    files: string
    created_at: TimestampMs
    heartbeat_at: TimestampMs
    applied_at: TimestampMs | null
    undone_at: TimestampMs | null
  }
  /**
   * A row of an imported file. Rows with the same `row_key` share a decision of the user. `text_key` identifies the
   * title text of the row (`ChoiceKeys`). Season and episode are -1 when the row has none.
   */
  history_import_row: {
    import_id: string
    /** Number of the row in the import, from 1. */
    n: number
    /** Index of the file in the archive, from 0. */
    file: number
    line: number
    owner: string
    outcome: string
    /** Reason of the outcome, such as a `MatchReason` or a `RowSkipReason`. */
    why: string
    /** Confidence in the outcome from 0 to 1; 0 for a skipped row. */
    score: number
    row_key: string
    text_key: string
    title_id: number | null
    season_number: number
    episode_number: number
    /** JSON of the `HistoryRow`. */
    data: string
  }
  /**
   * Rows of an import with the same outcome, `row_key` and title. The user makes one decision for all of these rows.
   * `first` is the lowest `n` of these rows, and `count` is their number. `title_id` is 0 when there is no title.
   */
  history_import_group: {
    import_id: string
    outcome: string
    row_key: string
    title_id: number
    first: number
    count: number
  }
  /**
   * The title that a user chose for import rows, or null to skip these rows. `text_key` contains the `text_key` or the
   * `row_key` of the import rows. All later imports of the profile use this choice.
   */
  history_choice: { profile_id: string; text_key: string; title_id: number | null; updated_at: TimestampMs }
  /**
   * Changes that an import made to the data of the profile, for undo. `before` and `after` are the changed row as JSON:
   * `before` is null for an inserted row, and `after` is empty for a deleted row. `seq` is negative while the change is
   * undone.
   */
  history_change: {
    import_id: string
    seq: number
    /** Kind of the changed row, such as `progress` or `play` (`TrackingRowKind`). */
    kind: string
    title_id: number
    before: string | null
    after: string
  }
}
