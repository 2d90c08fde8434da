/**
 * Adds episode numbers to rows whose episode titles are not in the catalogue, for example because the titles are in
 * another language. For each season, the different unknown titles in a file are counted. If their number equals the
 * number of episodes of the season, the whole season was watched. Its episodes are then numbered in the order of
 * viewing. In an incomplete season, the episodes cannot be identified.
 */

import { UNKNOWN_NUMBER } from './season-episode.ts'
import type { NumberedRow, TitleMerge } from './title-merge.ts'
import { deleteUnnumberedViewing } from './unnumbered-viewing.ts'

/** Returns the rows, with episode numbers added to the rows of completely watched seasons. */
export function numberCompleteSeasons({ title, rows, changeSet, nowMs }: TitleMerge): readonly NumberedRow[] {
  const unnumberedRows = rows.filter(
    ({ row, season, episode }) =>
      episode === UNKNOWN_NUMBER && season > 0 && row.kind === 'watched' && row.source !== 'marquee',
  )
  const episodeNumbersByRow = new Map<NumberedRow, number>()
  const notesByRow = new Map<NumberedRow, string>()
  for (const [season, seasonRows] of Map.groupBy(unnumberedRows, (row) => row.season)) {
    const seasonEpisodes = title.episodes.filter((episode) => episode.season_number === season)
    const episodeNames = listNamesInViewingOrder(seasonRows)
    if (episodeNames.length === 0 || episodeNames.length !== seasonEpisodes.length) continue
    const episodeNumbers = seasonEpisodes.map((episode) => episode.episode_number).sort((a, b) => a - b)
    for (const seasonRow of seasonRows) {
      episodeNumbersByRow.set(
        seasonRow,
        episodeNumbers[episodeNames.indexOf(seasonRow.row.episodeTitle ?? '')] ?? UNKNOWN_NUMBER,
      )
      const deletedViewing = deleteUnnumberedViewing(changeSet, {
        titleId: title.id,
        row: seasonRow.row,
        season,
        nowMs,
      })
      if (deletedViewing?.['note']) notesByRow.set(seasonRow, String(deletedViewing['note']))
    }
  }
  return rows.map((numberedRow) => {
    const note = notesByRow.get(numberedRow)
    return {
      ...numberedRow,
      episode: episodeNumbersByRow.get(numberedRow) ?? numberedRow.episode,
      ...(note !== undefined && { row: { ...numberedRow.row, note } }),
    }
  })
}

/**
 * Returns the episode titles in the order of their first viewing. Viewings of one day are in file order, reversed if
 * the file begins with the newest viewing. Returns an empty array if a row has no title or no date.
 */
function listNamesInViewingOrder(rows: readonly NumberedRow[]): string[] {
  if (rows.some(({ row }) => !row.episodeTitle || !row.at)) return []
  const rowsInFileOrder = rows.toSorted((a, b) => a.row.line - b.row.line)
  const isNewestFirst = (rowsInFileOrder[0]?.row.at ?? '') > (rowsInFileOrder.at(-1)?.row.at ?? '')
  const rowsInViewingOrder = (isNewestFirst ? rowsInFileOrder.reverse() : rowsInFileOrder).toSorted((a, b) =>
    (a.row.at ?? '') < (b.row.at ?? '') ? -1 : (a.row.at ?? '') > (b.row.at ?? '') ? 1 : 0,
  )
  return [...new Set(rowsInViewingOrder.map(({ row }) => row.episodeTitle ?? ''))]
}
