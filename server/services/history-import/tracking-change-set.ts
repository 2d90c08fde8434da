/**
 * Collects changes to the tracking rows of some titles in memory. Each row is then written at most once, and only if
 * it differs from the database.
 */
import type { EpisodeRef } from '../../../src/lib/rules/episode-order.ts'
import {
  getTrackingRowKey,
  serialiseTrackingRow,
  type TrackingRow,
  type TrackingRowKind,
} from '../../queries/tracking-row.ts'

export interface TrackingRowChange {
  kind: TrackingRowKind
  /** The row in the database; null if there is none. */
  before: TrackingRow | null
  /** The row to write; null to delete it. */
  after: TrackingRow | null
}

export class TrackingChangeSet {
  readonly #changes = new Map<string, TrackingRowChange>()
  readonly #viewings = new Map<string, TrackingRow[]>()

  /** Adds a row that is already stored in the database. */
  addStoredRow(kind: TrackingRowKind, row: TrackingRow): void {
    this.#changes.set(getTrackingRowKey(kind, row), { kind, before: row, after: row })
    if (kind === 'play') this.#indexViewing(row)
  }

  /** Adds the row to the viewings, or replaces the previous row with the same key. */
  #indexViewing(row: TrackingRow, previousRow: TrackingRow | null = null): void {
    const episodeKey = getEpisodeKey(row)
    const viewings = this.#viewings.get(episodeKey)
    if (!viewings) this.#viewings.set(episodeKey, [row])
    else if (previousRow) viewings[viewings.indexOf(previousRow)] = row
    else viewings.push(row)
  }

  /** Returns the current row with this key; null if there is none. */
  get(kind: TrackingRowKind, key: TrackingRow): TrackingRow | null {
    return this.#changes.get(getTrackingRowKey(kind, key))?.after ?? null
  }

  /** Inserts or replaces a row. */
  set(kind: TrackingRowKind, row: TrackingRow): void {
    const rowKey = getTrackingRowKey(kind, row)
    const change = this.#changes.get(rowKey)
    if (kind === 'play') this.#indexViewing(row, change?.after)
    if (change) change.after = row
    else this.#changes.set(rowKey, { kind, before: null, after: row })
  }

  /** Deletes the row with this key, if there is one. */
  delete(kind: TrackingRowKind, key: TrackingRow): void {
    const change = this.#changes.get(getTrackingRowKey(kind, key))
    if (!change) return
    change.after = null
    const viewings = kind === 'play' ? this.#viewings.get(getEpisodeKey(key)) : undefined
    if (viewings)
      viewings.splice(
        0,
        viewings.length,
        ...viewings.filter((row) => getTrackingRowKey(kind, row) !== getTrackingRowKey(kind, key)),
      )
  }

  /** Returns the viewings of a movie or an episode. */
  getViewings(key: TrackingRow): readonly TrackingRow[] {
    return this.#viewings.get(getEpisodeKey(key)) ?? []
  }

  /** Returns the episode of each current progress row and viewing of a title. An episode can occur several times. */
  listTrackedEpisodes(titleId: number): EpisodeRef[] {
    return [...this.#changes.values()].flatMap(({ kind, after: row }) =>
      (kind === 'progress' || kind === 'play') && row?.['title_id'] === titleId
        ? [{ season_number: Number(row['season_number']), episode_number: Number(row['episode_number']) }]
        : [],
    )
  }

  /** Returns the changes of the rows that differ from the database. */
  listChanges(): TrackingRowChange[] {
    return [...this.#changes.values()].filter(({ kind, before: rowBefore, after: rowAfter }) => {
      if (!rowBefore || !rowAfter) return rowBefore !== rowAfter
      return serialiseTrackingRow(kind, rowBefore) !== serialiseTrackingRow(kind, rowAfter)
    })
  }
}

const getEpisodeKey = (row: TrackingRow) =>
  `${row['title_id']} ${row['season_number']} ${row['episode_number']}`
