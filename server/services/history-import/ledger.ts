/** The rows of some titles as they stand, and what becomes of them: nothing is written twice, nothing that stays the same. */
import { type Row, type RowKind, rowName, rowText } from '../../queries/tracking-rows.ts'

export interface Change {
  kind: RowKind
  before: Row | null
  after: Row | null
}

export class Ledger {
  readonly #rows = new Map<string, Change>()
  readonly #plays = new Map<string, Row[]>()

  /** What the database has. */
  hold(kind: RowKind, row: Row): void {
    this.#rows.set(rowName(kind, row), { kind, before: row, after: row })
    if (kind === 'play') this.#note(row)
  }

  #note(row: Row): void {
    const place = placeName(row)
    const there = this.#plays.get(place)
    if (there) there.push(row)
    else this.#plays.set(place, [row])
  }

  get(kind: RowKind, key: Row): Row | null {
    return this.#rows.get(rowName(kind, key))?.after ?? null
  }

  put(kind: RowKind, row: Row): void {
    const name = rowName(kind, row)
    const held = this.#rows.get(name)
    if (held) {
      if (kind === 'play' && !held.after) this.#note(row)
      held.after = row
    } else {
      this.#rows.set(name, { kind, before: null, after: row })
      if (kind === 'play') this.#note(row)
    }
  }

  remove(kind: RowKind, key: Row): void {
    const held = this.#rows.get(rowName(kind, key))
    if (!held) return
    held.after = null
    const plays = kind === 'play' ? this.#plays.get(placeName(key)) : undefined
    if (plays)
      plays.splice(0, plays.length, ...plays.filter((row) => rowName(kind, row) !== rowName(kind, key)))
  }

  /** Viewings at a place. */
  playsAt(place: Row): readonly Row[] {
    return this.#plays.get(placeName(place)) ?? []
  }

  changes(): Change[] {
    return [...this.#rows.values()].filter(({ kind, before, after }) => {
      if (!before || !after) return before !== after
      return rowText(kind, before) !== rowText(kind, after)
    })
  }
}

const placeName = (row: Row) => `${row['title_id']} ${row['season_number']} ${row['episode_number']}`
