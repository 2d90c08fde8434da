/** Rows: history that a profile brought along. */
import type { Ms } from './units.ts'

export interface HistoryImports {
  /** One history file that a profile brought along; its file is gone once it was read. */
  history_import: {
    import_id: string
    profile_id: string
    file_name: string
    /** Of the content, SHA-256. */
    file_hash: string
    source: string | null
    status: string
    /** Bytes while it is read, rows while they are applied or taken back. */
    done: number
    total: number
    /** Rows written in the end. */
    changed: number
    message: string | null
    /** JSON: rows by outcome; and names in the file with their rows. */
    counts: string
    owners: string
    /** JSON: of an archive, its files and what became of them. */
    files: string
    created_at: Ms
    heartbeat_at: Ms
    applied_at: Ms | null
    undone_at: Ms | null
  }
  /** `row_key` is what one decision holds for, `text_key` the title as the file has it. -1: no season, no episode. */
  history_import_row: {
    import_id: string
    n: number
    /** Which of its files, from 0. */
    file: number
    line: number
    owner: string
    outcome: string
    why: string
    score: number
    row_key: string
    text_key: string
    title_id: number | null
    season_number: number
    episode_number: number
    data: string
  }
  /** Rows that one decision holds for, counted; `title_id` is 0 where there is none. */
  history_import_group: {
    import_id: string
    outcome: string
    row_key: string
    title_id: number
    first: number
    count: number
  }
  /** What a profile said a text means; null: nothing that it wants. Holds for all its later imports. */
  history_choice: { profile_id: string; text_key: string; title_id: number | null; updated_at: Ms }
  /** What an import changed, so that it can be taken back: rows as JSON; null before, or empty after, where there is none. */
  history_change: {
    import_id: string
    seq: number
    kind: string
    title_id: number
    before: string | null
    after: string
  }
}
