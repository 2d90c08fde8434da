/** Where a row belongs once its title is known, and by which texts a decision about it is remembered. */
import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import type { Match } from '../../importers/history/match-title.ts'
import { placeByTitle } from '../../importers/history/place-by-title.ts'
import type { HistoryRow, Reading } from '../../importers/history/row.ts'
import type { CatalogueTitle } from './candidates.ts'

/** Of a series: no number is known. */
export const UNKNOWN = -1
/** So many different texts with one beginning are decided on together. */
const SIBLINGS = 2

export interface Place {
  season: number
  episode: number
}

/**
 * Movies are at 0, 0. An episode goes by its number, else by its title; a series of one season needs none to be named.
 * What stays unknown is -1: the viewing is kept, and no episode is said to be watched.
 */
export function placeOf(title: CatalogueTitle, reading: Reading): Place {
  if (title.type === 'movie') return { season: 0, episode: 0 }
  const byTitle = placeByTitle(title, reading)
  if (reading.episode === undefined && byTitle) return byTitle
  const seasons = new Set(title.episodes.map((one) => one.season_number).filter((one) => one > 0))
  const only = seasons.size === 1 ? [...seasons][0] : undefined
  const named = reading.episode !== undefined || reading.episodeTitle !== undefined
  const season = reading.season ?? byTitle?.season ?? (named ? only : undefined)
  if (season === undefined) return { season: UNKNOWN, episode: UNKNOWN }
  return { season, episode: reading.episode ?? UNKNOWN }
}

/** The reading of a row under which it is about a series or a film. */
export function readingFor(row: HistoryRow, title: CatalogueTitle): Reading {
  if (title.type === 'movie') return row
  const series = [row as Reading, ...(row.readings ?? [])].filter((one) => one.type === 'tv')
  const names = new Set(title.titles.map(foldTitle))
  return series.find((one) => names.has(foldTitle(one.title))) ?? series[0] ?? row
}

export interface Keys {
  /** The title as the file has it. */
  text: string
  /** What one decision holds for: of `Show: Episode`, the show. */
  row: string
}

export function keysOf(row: HistoryRow, match: Match): Keys {
  const text = keyOf(row, row)
  const series = seriesReading(row, match)
  return { text, row: series ? keyOf(row, series) : text }
}

/** Every key under which a decision about this row may have been remembered, the narrowest first. */
export function rememberedKeys(row: HistoryRow): string[] {
  const wide = (row.readings ?? []).filter((one) => one.type === 'tv' && (one.siblings ?? 0) >= SIBLINGS)
  return [keyOf(row, row), ...wide.map((one) => keyOf(row, one))]
}

function seriesReading(row: HistoryRow, match: Match): Reading | undefined {
  const likely = match.title ?? match.candidates[0]
  if (likely?.type === 'tv' && match.reading?.type === 'tv') {
    return (match.reading.siblings ?? SIBLINGS) >= SIBLINGS ? match.reading : undefined
  }
  if (likely) return undefined
  return row.readings?.find((one) => one.type === 'tv' && (one.siblings ?? 0) >= SIBLINGS)
}

function keyOf({ ids, year }: HistoryRow, { title, type }: Reading): string {
  const id = ids.imdb ?? ids.tmdb ?? ids.tvdb ?? ids.trakt ?? ''
  return [type ?? '', foldTitle(title).slice(0, 300), year ?? '', id].join('|')
}
