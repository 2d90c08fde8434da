/**
 * Collects changes to the tracking rows of some titles in memory, so that each row is written at most once, and only if it
 * differs from the database.
 */
import { type Row, type RowKind, rowName, rowText } from '../../queries/tracking-rows.ts'

export interface Change {
  kind: RowKind
  /** The row in the database; null if there is none. */
  before: Row | null
  /** The row to write; null to delete it. */
  after: Row | null
}

export class Ledger {
  readonly #changes = new Map<string, Change>()
  readonly #viewings = new Map<string, Row[]>()

  /** Adds a row that is in the database. */
  hold(kind: RowKind, row: Row): void {
    this.#changes.set(rowName(kind, row), { kind, before: row, after: row })
    if (kind === 'play') this.#indexViewing(row)
  }

  #indexViewing(row: Row): void {
    const key = episodeKey(row)
    const viewings = this.#viewings.get(key)
    if (viewings) viewings.push(row)
    else this.#viewings.set(key, [row])
  }

  /** The current row with this key; null if there is none. */
  get(kind: RowKind, key: Row): Row | null {
    return this.#changes.get(rowName(kind, key))?.after ?? null
  }

  /** Inserts or replaces a row. */
  put(kind: RowKind, row: Row): void {
    const name = rowName(kind, row)
    const change = this.#changes.get(name)
    if (change) {
      if (kind === 'play' && !change.after) this.#indexViewing(row)
      change.after = row
    } else {
      this.#changes.set(name, { kind, before: null, after: row })
      if (kind === 'play') this.#indexViewing(row)
    }
  }

  /** Deletes the row with this key, if there is one. */
  remove(kind: RowKind, key: Row): void {
    const change = this.#changes.get(rowName(kind, key))
    if (!change) return
    change.after = null
    const viewings = kind === 'play' ? this.#viewings.get(episodeKey(key)) : undefined
    if (viewings)
      viewings.splice(
        0,
        viewings.length,
        ...viewings.filter((row) => rowName(kind, row) !== rowName(kind, key)),
      )
  }

  /** The viewings of a movie or an episode. */
  playsAt(key: Row): readonly Row[] {
    return this.#viewings.get(episodeKey(key)) ?? []
  }

  /** The rows that differ from the database. */
  changes(): Change[] {
    return [...this.#changes.values()].filter(({ kind, before, after }) => {
      if (!before || !after) return before !== after
      return rowText(kind, before) !== rowText(kind, after)
    })
  }
}

const episodeKey = (row: Row) => `${row['title_id']} ${row['season_number']} ${row['episode_number']}`
