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
  readonly #viewingsByEpisode = new Map<string, EpisodeViewings>()

  /** Adds a row that is already stored in the database. */
  addStoredRow(kind: TrackingRowKind, row: TrackingRow): void {
    const rowKey = getTrackingRowKey(kind, row)
    this.#changes.set(rowKey, { kind, before: row, after: row })
    if (kind === 'play') this.#indexViewing(rowKey, row)
  }

  /** Adds the row to the viewings, or replaces the previous row with the same key. */
  #indexViewing(rowKey: string, row: TrackingRow): void {
    const episodeKey = getEpisodeKey(row)
    const viewings = this.#viewingsByEpisode.get(episodeKey) ?? new EpisodeViewings()
    this.#viewingsByEpisode.set(episodeKey, viewings)
    viewings.set(rowKey, row)
  }

  /** Returns the current row with this key; null if there is none. */
  get(kind: TrackingRowKind, key: TrackingRow): TrackingRow | null {
    return this.#changes.get(getTrackingRowKey(kind, key))?.after ?? null
  }

  /** Inserts or replaces a row. */
  set(kind: TrackingRowKind, row: TrackingRow): void {
    const rowKey = getTrackingRowKey(kind, row)
    const change = this.#changes.get(rowKey)
    if (kind === 'play') this.#indexViewing(rowKey, row)
    if (change) change.after = row
    else this.#changes.set(rowKey, { kind, before: null, after: row })
  }

  /** Deletes the row with this key, if there is one. */
  delete(kind: TrackingRowKind, key: TrackingRow): void {
    const rowKey = getTrackingRowKey(kind, key)
    const change = this.#changes.get(rowKey)
    if (!change) return
    change.after = null
    if (kind === 'play') this.#viewingsByEpisode.get(getEpisodeKey(key))?.delete(rowKey)
  }

  /** Returns the viewings of a movie or an episode. */
  getViewings(key: TrackingRow): readonly TrackingRow[] {
    return this.#viewingsByEpisode.get(getEpisodeKey(key))?.list() ?? []
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

/** The viewings of a movie or an episode by key. A profile can have thousands of viewings of one title. */
class EpisodeViewings {
  readonly #rowsByKey = new Map<string, TrackingRow>()
  #rows: readonly TrackingRow[] | null = null

  set(rowKey: string, row: TrackingRow): void {
    this.#rowsByKey.set(rowKey, row)
    this.#rows = null
  }

  delete(rowKey: string): void {
    this.#rowsByKey.delete(rowKey)
    this.#rows = null
  }

  list(): readonly TrackingRow[] {
    this.#rows ??= [...this.#rowsByKey.values()]
    return this.#rows
  }
}

const getEpisodeKey = (row: TrackingRow) =>
  `${row['title_id']} ${row['season_number']} ${row['episode_number']}`
