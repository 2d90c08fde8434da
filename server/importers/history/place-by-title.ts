/** Which episode a history file means that knows its title alone. */
import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import type { Reading } from './row.ts'

export interface WithEpisodes {
  episodes?: readonly { season_number: number; episode_number: number; titles: readonly string[] }[]
}

/** Folded titles of a series' episodes; made once, since every row of the series asks for them. */
const FOLDED = new WeakMap<WithEpisodes, Map<string, Place[]>>()

function episodesByTitle(series: WithEpisodes): Map<string, Place[]> {
  const kept = FOLDED.get(series)
  if (kept) return kept
  const places = new Map<string, Place[]>()
  for (const { season_number: season, episode_number: episode, titles } of series.episodes ?? []) {
    for (const key of new Set(titles.map(foldTitle))) {
      places.set(key, [...(places.get(key) ?? []), { season, episode }])
    }
  }
  FOLDED.set(series, places)
  return places
}

export interface Place {
  season: number
  episode: number
}

/** The one episode that bears the reading's episode title, in its season where it names one; null when there is none, or several. */
export function placeByTitle(series: WithEpisodes, { season, episode, episodeTitle }: Reading): Place | null {
  if (!episodeTitle) return null
  const named = episodesByTitle(series).get(foldTitle(episodeTitle)) ?? []
  const fitting = named.filter(
    (one) =>
      (season === undefined || one.season === season) && (episode === undefined || one.episode === episode),
  )
  return fitting.length === 1 ? (fitting[0] ?? null) : null
}
