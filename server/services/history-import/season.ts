/**
 * Episodes whose titles the catalogue does not know, as in another language: where a file has as many different ones of a
 * season as the season has episodes, all of them were watched, and they were watched in their order. Of a season that is
 * not whole nobody can tell which episodes they were.
 */
import type { CatalogueTitle } from './candidates.ts'
import type { Ledger } from './ledger.ts'
import type { PlacedRow } from './merge.ts'
import { momentOf } from './moment.ts'
import { UNKNOWN } from './place.ts'

interface Season {
  title: CatalogueTitle
  rows: readonly PlacedRow[]
  ledger: Ledger
  now: number
}

/** The rows, those of whole seasons with the numbers of their episodes. */
export function numberSeasons({ title, rows, ledger, now }: Season): readonly PlacedRow[] {
  const unknown = rows.filter(
    ({ row, season, episode }) =>
      episode === UNKNOWN && season > 0 && row.kind === 'watched' && row.source !== 'marquee',
  )
  const numbers = new Map<PlacedRow, number>()
  for (const [season, some] of Map.groupBy(unknown, (one) => one.season)) {
    const there = title.episodes.filter((one) => one.season_number === season)
    const names = inOrder(some)
    if (names.length === 0 || names.length !== there.length) continue
    const episodes = there.map((one) => one.episode_number).sort((a, b) => a - b)
    for (const one of some) {
      numbers.set(one, episodes[names.indexOf(one.row.episodeTitle ?? '')] ?? UNKNOWN)
      forget(ledger, title.id, one, now)
    }
  }
  return rows.map((one) => ({ ...one, episode: numbers.get(one) ?? one.episode }))
}

/** Names as they were first watched; none where one has no name. Within a day the file's own order tells. */
function inOrder(rows: readonly PlacedRow[]): string[] {
  if (rows.some(({ row }) => !row.episodeTitle || !row.at)) return []
  const byLine = rows.toSorted((a, b) => a.row.line - b.row.line)
  const newestFirst = (byLine[0]?.row.at ?? '') > (byLine.at(-1)?.row.at ?? '')
  const ordered = (newestFirst ? byLine.reverse() : byLine).toSorted((a, b) =>
    (a.row.at ?? '') < (b.row.at ?? '') ? -1 : (a.row.at ?? '') > (b.row.at ?? '') ? 1 : 0,
  )
  return [...new Set(ordered.map(({ row }) => row.episodeTitle ?? ''))]
}

/** What an earlier file told of it without its number. */
function forget(ledger: Ledger, titleId: number, { row, season }: PlacedRow, now: number): void {
  ledger.remove('play', {
    title_id: titleId,
    season_number: season,
    episode_number: UNKNOWN,
    name: row.episodeTitle ?? '',
    watched_at: momentOf(row.at, now).ms,
  })
}
