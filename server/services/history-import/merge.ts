/**
 * Merges the rows of a file for one title into the change set. It is idempotent and does no I/O: existing data wins unless the
 * row is newer; viewings are added, and none is counted twice.
 */
import type { HistoryRow } from '../../importers/history/row.ts'
import type { Row } from '../../queries/tracking-rows.ts'
import type { CatalogueTitle } from './candidates.ts'
import type { Ledger } from './ledger.ts'
import { momentOf } from './moment.ts'
import { numberSeasons } from './season.ts'
import { mergeViewings } from './viewings.ts'

/** Ratings out of ten from which a row counts as a like, and up to which it counts as a dislike. */
export const LIKED_FROM = 7
export const DISLIKED_TO = 4

/** A row with its season and episode number, which are `UNKNOWN_NUMBER` if unknown and 0 for movies. */
export interface PlacedRow {
  row: HistoryRow
  season: number
  episode: number
}

export interface Merge {
  title: CatalogueTitle
  rows: readonly PlacedRow[]
  ledger: Ledger
  /** Current time in ms. */
  now: number
  /** Time of the import in ms, for rows that need a time and have none. */
  importedAt: number
}

export function mergeTitle(merge: Merge): void {
  const viewings = numberSeasons(merge).filter(({ row }) => row.kind === 'watched' || row.kind === 'played')
  for (const episodeRows of Map.groupBy(viewings, ({ season, episode }) => `${season} ${episode}`).values()) {
    mergeViewings({ ...merge, rows: episodeRows })
  }
  const ordered = merge.rows.toSorted((a, b) => ((a.row.at ?? '') < (b.row.at ?? '') ? -1 : 1))
  for (const { row } of ordered) {
    if (row.kind === 'listed') mergeWatchlist(merge, row)
    if (row.kind === 'dropped') mergeDismissal(merge, row)
    const feedback = feedbackOf(row)
    if (feedback) mergeFeedback(merge, row, feedback)
  }
}

/** The feedback that a row expresses; null if none. */
export function feedbackOf({ kind, rating }: HistoryRow): 'liked' | 'disliked' | null {
  if (kind === 'liked' || kind === 'disliked') return kind
  if (rating === undefined || (kind !== 'rated' && kind !== 'watched')) return null
  return rating >= LIKED_FROM ? 'liked' : rating <= DISLIKED_TO ? 'disliked' : null
}

function mergeFeedback(
  { title, ledger: changeSet, now: nowMs }: Merge,
  row: HistoryRow,
  feedback: 'liked' | 'disliked',
): void {
  // The rating of a season or an episode says nothing about the series.
  if (row.episode !== undefined || row.season !== undefined) return
  const atMs = momentOf(row.at, nowMs).ms
  const before = changeSet.get('feedback', { title_id: title.id })
  if (before && (before['feedback'] === feedback || atMs <= Number(before['updated_at']))) return
  changeSet.put('feedback', { title_id: title.id, feedback, updated_at: atMs })
}

/** Adds the title to the watchlist, unless it is there already or its entry was changed after the time of the row. */
function mergeWatchlist({ title, ledger: changeSet, now: nowMs }: Merge, row: HistoryRow): void {
  const before = changeSet.get('list', { title_id: title.id })
  const atMs = momentOf(row.at, nowMs).ms
  const isNotListed = row.source === 'marquee' && !row.state
  if (before && (before['in_watchlist'] === 1 || isNotListed || atMs <= Number(before['updated_at']))) return
  const after: Row = {
    title_id: title.id,
    in_watchlist: isNotListed ? 0 : 1,
    state: isNotListed ? null : (row.state ?? 'planned'),
    favorite: row.favorite || before?.['favorite'] === 1 ? 1 : 0,
    added_at: isNotListed || atMs === 0 ? null : atMs,
    updated_at: atMs,
  }
  changeSet.put('list', after)
}

/** A title that was dropped elsewhere is dismissed: Continue Watching does not show it until it is played again. */
function mergeDismissal(
  { title, ledger: changeSet, now: nowMs, importedAt: importedAtMs }: Merge,
  row: HistoryRow,
): void {
  const before = changeSet.get('interaction', { title_id: title.id })
  const atMs = momentOf(row.at, nowMs).ms || importedAtMs
  const dismissedAtMs = Number(before?.['dismissed_at'] ?? 0)
  if (row.at ? dismissedAtMs >= atMs : dismissedAtMs > 0) return
  changeSet.put('interaction', {
    title_id: title.id,
    impressions: before?.['impressions'] ?? 0,
    opens: before?.['opens'] ?? 0,
    plays: before?.['plays'] ?? 0,
    dismissed_at: atMs,
    updated_at: Math.max(atMs, Number(before?.['updated_at'] ?? 0)),
  })
}
