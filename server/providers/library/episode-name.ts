/** Reads season and episode numbers from file and folder names. */

export interface EpisodeNumbers {
  season: number
  /** Episode numbers in ascending order. A file may contain several episodes. */
  episodes: number[]
  /** Date of the broadcast, such as `2024-01-15`, when the name has it instead of numbers. */
  airDate?: string
  /**
   * True when the episode numbers may be counted from the first episode of the series, across all seasons.
   */
  isAbsolute?: boolean
  /** Text before the numbers, often the name of the series. */
  textBefore: string
}

const SEASON_WORDS = 'season|saison|staffel|temporada|stagione|sezon|seizoen|series|säsong|الموسم'
const SEASON_FOLDER_PATTERN = new RegExp(`^(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])`, 'iu')
/** A season folder that also names the series: "Show Name S01 1080p", "Show - Season 2". */
const NAMED_SEASON_PATTERN = new RegExp(
  `^(.+?)[ ._-]+(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])(?![ ._-]*e\\d)`,
  'iu',
)
const EPISODE_WORDS = 'episode|épisode|folge|ep|الحلقة|حلقة'
const SPECIALS_FOLDER_PATTERN = /^(?:specials?|spéciaux|extras? specials)$/i
const SXXEYY_PATTERN =
  /(?<![\p{L}\d])s(\d{1,4})[ ._-]*e[p ]?(\d{1,4})((?:[ ._]*-?[ ._]*(?:s\d{1,4})?e\d{1,4}|-\d{1,3}(?![\p{L}\d]))*)/iu
const SEASON_X_EPISODE_PATTERN =
  /(?<![\p{L}\d])(\d{1,2})x(\d{2,3})((?:-(?:\d{1,2}x)?\d{2,3}(?![\p{L}\d]))*)(?![\p{L}\d])/iu
const SEASON_EPISODE_WORDS_PATTERN = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASON_WORDS})[ ._-]*(\\d{1,4})[ ._,-]+(?:${EPISODE_WORDS})[ ._-]*(\\d{1,4})(?![\\p{L}\\d])`,
  'iu',
)
const NUMBER_IN_SEASON_FOLDER_PATTERN = new RegExp(
  `^(?:(?:.*?[ ._-])??(?:${EPISODE_WORDS}|e)[ ._-]*(\\d{1,4})(?![\\p{L}\\d])|(\\d{1,3})(?![\\p{L}\\d]))`,
  'iu',
)
/** Episodes of anime are numbered without seasons: "[Group] Show Name - 05v2 (1080p)". */
const NUMBER_AFTER_DASH_PATTERN =
  /^(\[[^\]]+\][ _]*)?(.+?)[ _]+-[ _]+(\d{2,4})(?:v\d)?(?=[ _]*(?:[[(]|-[ _]|$))/u
/** Daily shows are named by the date on which an episode was broadcast. */
const BROADCAST_DATE_PATTERN = /(?<!\d)(?:19|20)\d\d([-. _])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)/
/** Maximum number of episodes in a file. A larger range means that a number was misread. */
const MAX_EPISODES_PER_FILE = 30

/** Returns the season number of a season folder without the series name; null for other folders. */
export function parseSeasonFolder(folderName: string): number | null {
  if (SPECIALS_FOLDER_PATTERN.test(folderName)) return 0
  const folderMatch = SEASON_FOLDER_PATTERN.exec(folderName)
  return folderMatch ? Number(folderMatch[1]) : null
}

/** Returns the series name and season number of a season folder that also names the series; null for other folders. */
export function parseNamedSeasonFolder(folderName: string): { seriesName: string; season: number } | null {
  const folderMatch = NAMED_SEASON_PATTERN.exec(folderName)
  return folderMatch ? { seriesName: folderMatch[1] ?? '', season: Number(folderMatch[2]) } : null
}

/**
 * Reads the episode numbers of a file. `stem` is the file name without extension, `season` the season of its
 * folder, if known. `isSeriesName` returns true when a text is the name of the folder: a number after such a
 * text is an episode number.
 */
export function parseEpisodeName(
  stem: string,
  season: number | null,
  isSeriesName: (text: string) => boolean = () => false,
): EpisodeNumbers | null {
  for (const pattern of [SXXEYY_PATTERN, SEASON_X_EPISODE_PATTERN, SEASON_EPISODE_WORDS_PATTERN]) {
    const episodeMatch = pattern.exec(stem)
    if (!episodeMatch) continue
    const episodes = expandRange(Number(episodeMatch[2]), episodeMatch[3] ?? '')
    return { season: Number(episodeMatch[1]), episodes, textBefore: stem.slice(0, episodeMatch.index) }
  }
  const dateMatch = BROADCAST_DATE_PATTERN.exec(stem)
  if (dateMatch && dateMatch.index > 0) {
    const airDate = dateMatch[0].replaceAll(/\D/g, '-')
    return { season: season ?? 0, episodes: [], airDate, textBefore: stem.slice(0, dateMatch.index) }
  }
  const dashMatch = NUMBER_AFTER_DASH_PATTERN.exec(stem)
  if (dashMatch && (season !== null || dashMatch[1] || isSeriesName(dashMatch[2] ?? '')))
    return {
      season: season ?? 1,
      episodes: [Number(dashMatch[3])],
      isAbsolute: season === null,
      textBefore: dashMatch[2] ?? '',
    }
  if (season === null) return null
  const numberMatch = NUMBER_IN_SEASON_FOLDER_PATTERN.exec(stem)
  const episodeText = numberMatch?.[1] ?? numberMatch?.[2]
  return episodeText === undefined ? null : { season, episodes: [Number(episodeText)], textBefore: '' }
}

/** Expands `-E03`, `E02E03` or `-03` to a range that ends with the last number. */
function expandRange(firstNumber: number, rangeText: string): number[] {
  const rangeNumbers = [...rangeText.matchAll(/(?<![s\d])(\d{1,4})(?!x|\d)/gi)].map((match) =>
    Number(match[1]),
  )
  const lastNumber = Math.max(firstNumber, ...rangeNumbers)
  if (lastNumber - firstNumber >= MAX_EPISODES_PER_FILE) return [firstNumber]
  return Array.from({ length: lastNumber - firstNumber + 1 }, (_, index) => firstNumber + index)
}
