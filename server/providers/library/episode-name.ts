/** Reads season and episode numbers from file and folder names. */

export interface EpisodeNumbers {
  season: number
  /** Ascending; more than one for a file that holds several. */
  episodes: number[]
  /** Text before the numbers: often the show. */
  before: string
}

const SEASON_WORD = 'season|saison|staffel|temporada|stagione|sezon|seizoen|series|säsong|الموسم'
const SEASON_FOLDER = new RegExp(`^(?:(?:${SEASON_WORD})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])`, 'iu')
/** "Show Name S01 1080p", "Show - Season 2": a folder of one season that names its show. */
const NAMED_SEASON = new RegExp(
  `^(.+?)[ ._-]+(?:(?:${SEASON_WORD})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])(?![ ._-]*e\\d)`,
  'iu',
)
const SPECIALS = /^(?:specials?|spéciaux|extras? specials)$/i
const SXXEYY =
  /(?<![\p{L}\d])s(\d{1,4})[ ._-]*e[p ]?(\d{1,4})((?:[ ._]*-?[ ._]*e\d{1,4}|-\d{1,3}(?![\p{L}\d]))*)/iu
const CROSS = /(?<![\p{L}\d])(\d{1,2})x(\d{2,3})((?:-(?:\d{1,2}x)?\d{2,3}(?![\p{L}\d]))*)(?![\p{L}\d])/iu
const WORDS = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASON_WORD})[ ._-]*(\\d{1,4})[ ._,-]+(?:episode|épisode|folge|ep)[ ._-]*(\\d{1,4})(?![\\p{L}\\d])`,
  'iu',
)
const IN_SEASON =
  /^(?:(?:.*?[ ._-])??(?:episode|épisode|folge|ep|e)[ ._-]*(\d{1,4})(?![\p{L}\d])|(\d{1,3})(?![\p{L}\d]))/iu
/** A file that says it holds five hundred episodes is misread. */
const MOST_EPISODES = 30

/** Season of a folder that holds one season and does not name the show; null otherwise. */
export function seasonOfFolder(name: string): number | null {
  if (SPECIALS.test(name)) return 0
  const found = SEASON_FOLDER.exec(name)
  return found ? Number(found[1]) : null
}

export function namedSeason(name: string): { before: string; season: number } | null {
  const found = NAMED_SEASON.exec(name)
  return found ? { before: found[1] ?? '', season: Number(found[2]) } : null
}

/** `stem` is the file name without extension; `season` what its folder says, if anything. */
export function readEpisode(stem: string, season: number | null): EpisodeNumbers | null {
  for (const pattern of [SXXEYY, CROSS, WORDS]) {
    const found = pattern.exec(stem)
    if (!found) continue
    const episodes = span(Number(found[2]), found[3] ?? '')
    return { season: Number(found[1]), episodes, before: stem.slice(0, found.index) }
  }
  if (season === null) return null
  const found = IN_SEASON.exec(stem)
  const number = found?.[1] ?? found?.[2]
  return number === undefined ? null : { season, episodes: [Number(number)], before: '' }
}

/** `-E03`, `E02E03`, `-03`: the last number ends the range. */
function span(first: number, more: string): number[] {
  const numbers = [...more.matchAll(/(\d{1,4})(?!x|\d)/gi)].map((one) => Number(one[1]))
  const last = Math.max(first, ...numbers)
  if (last - first >= MOST_EPISODES) return [first]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
