/**
 * What the rows of a file change for one title. Pure, and the same however often it is done: what is there wins over what
 * comes, unless what comes is newer; viewings are added, never counted twice.
 */
import type { HistoryRow } from '../../importers/history/row.ts'
import type { Row } from '../../queries/tracking-rows.ts'
import type { CatalogueTitle } from './candidates.ts'
import type { Ledger } from './ledger.ts'
import { momentOf } from './moment.ts'
import { numberSeasons } from './season.ts'
import { mergeViewings } from './viewings.ts'

/** Out of ten: at least that is a like, at most that a dislike, between them neither. */
export const LIKED_FROM = 7
export const DISLIKED_TO = 4

export interface PlacedRow {
  row: HistoryRow
  season: number
  episode: number
}

export interface Merge {
  title: CatalogueTitle
  rows: readonly PlacedRow[]
  ledger: Ledger
  now: number
  /** When the file came: for what it does not date and has to be dated. */
  importedAt: number
}

export function mergeTitle(merge: Merge): void {
  const viewings = numberSeasons(merge).filter(({ row }) => row.kind === 'watched' || row.kind === 'played')
  for (const some of Map.groupBy(viewings, ({ season, episode }) => `${season} ${episode}`).values()) {
    mergeViewings({ ...merge, rows: some })
  }
  const ordered = merge.rows.toSorted((a, b) => ((a.row.at ?? '') < (b.row.at ?? '') ? -1 : 1))
  for (const { row } of ordered) {
    if (row.kind === 'listed') list(merge, row)
    if (row.kind === 'dropped') drop(merge, row)
    const said = feedbackOf(row)
    if (said) feedback(merge, row, said)
  }
}

export function feedbackOf({ kind, rating }: HistoryRow): 'liked' | 'disliked' | null {
  if (kind === 'liked' || kind === 'disliked') return kind
  if (rating === undefined || (kind !== 'rated' && kind !== 'watched')) return null
  return rating >= LIKED_FROM ? 'liked' : rating <= DISLIKED_TO ? 'disliked' : null
}

function feedback({ title, ledger, now }: Merge, row: HistoryRow, said: 'liked' | 'disliked'): void {
  // A rating of one evening is not one of the whole series.
  if (row.episode !== undefined || row.season !== undefined) return
  const at = momentOf(row.at, now).ms
  const before = ledger.get('feedback', { title_id: title.id })
  if (before && (before['feedback'] === said || at <= Number(before['updated_at']))) return
  ledger.put('feedback', { title_id: title.id, feedback: said, updated_at: at })
}

/** Joins My List unless it is there, or was taken out after the file's entry. */
function list({ title, ledger, now }: Merge, row: HistoryRow): void {
  const before = ledger.get('list', { title_id: title.id })
  const at = momentOf(row.at, now).ms
  const unlisted = row.source === 'marquee' && !row.state
  if (before && (before['in_watchlist'] === 1 || unlisted || at <= Number(before['updated_at']))) return
  const after: Row = {
    title_id: title.id,
    in_watchlist: unlisted ? 0 : 1,
    state: unlisted ? null : (row.state ?? 'planned'),
    favorite: row.favorite || before?.['favorite'] === 1 ? 1 : 0,
    added_at: unlisted || at === 0 ? null : at,
    updated_at: at,
  }
  ledger.put('list', after)
}

/** Given up elsewhere: it stays away from Continue Watching until it is played again. */
function drop({ title, ledger, now, importedAt }: Merge, row: HistoryRow): void {
  const before = ledger.get('interaction', { title_id: title.id })
  const at = momentOf(row.at, now).ms || importedAt
  const dismissed = Number(before?.['dismissed_at'] ?? 0)
  if (row.at ? dismissed >= at : dismissed > 0) return
  ledger.put('interaction', {
    title_id: title.id,
    impressions: before?.['impressions'] ?? 0,
    opens: before?.['opens'] ?? 0,
    plays: before?.['plays'] ?? 0,
    dismissed_at: at,
    updated_at: Math.max(at, Number(before?.['updated_at'] ?? 0)),
  })
}
