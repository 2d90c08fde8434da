/** The episode numbers that a file name states, and the name of the series before them. */
import { SEASON_WORDS } from './number-words.ts'

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
  /** True when the name has only one number, in a season folder: 105 can then be episode 5 of season 1. */
  mayNumberIncludeSeason?: boolean
  /** Text before the numbers, often the name of the series. */
  textBefore: string
}

/**
 * Returns true if a text is the name of the folder of the series, so that a number after it is an episode number. For
 * an empty text, see `parseEpisodeName`.
 */
export type IsSeriesName = (text: string) => boolean

/** Matches the last number in the name of a file with several episodes: "03-04", "E03-E04", "Episodes 3 & 4". */
export const LAST_NUMBER = String.raw`(?:(?:-| ?[&+] ?)(?:e|ep)?(\d{1,4}))?`
/** A number that is not a year and not a part of a larger number: "Show Name 05", "Show Name #5". */
const PLAIN_NUMBER_PATTERN = new RegExp(
  `[ ._-]+#?(?!(?:1[89]|20)\\d\\d(?!\\d))(\\d{1,4})(?:v\\d)?${LAST_NUMBER}(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'gu',
)
/** The number of an episode before the word for "episode", or between two signs: "5. Bölüm", "5 серия", "第05話". */
export const NUMBER_BEFORE_EPISODE_PATTERN =
  /^(.*?)(?:(?<![\p{L}\d])(\d{1,4})[.ªº]?[ ._-]*(?:серия|серії|bölüm|rész)(?!\p{L})|第[ _]*(\d{1,4})[ _]*[話话集回])/iu
/** A season after the name of the series: "Show Name S2", "Show Name Season 2", "Show Name 2nd Season". */
const SEASON_AFTER_NAME_PATTERN = new RegExp(
  `^(.*?[^ ._-])[ ._-]+\\(?(?:(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)[ ._-]+season)\\)?[ ._-]*$`,
  'iu',
)

/** Splits a name that ends with a season. The number of an episode after such a name counts within the season. */
export function splitSeason(name: string): Pick<EpisodeNumbers, 'textBefore'> & Partial<EpisodeNumbers> {
  const [, textBefore, seasonNumber, ordinalNumber] = SEASON_AFTER_NAME_PATTERN.exec(name) ?? []
  return textBefore === undefined
    ? { textBefore: name }
    : { season: Number(seasonNumber ?? ordinalNumber), isAbsolute: false, textBefore }
}

/** Removes the separators at the end of a text. */
export const trimSeparators = (text: string) => text.replace(/[ ._-]+$/, '')

/** Returns the numbers that follow the name of the series: "Show Name 05 - Title", "Show Name 05-06". */
export function findNumberAfterName(
  stem: string,
  isSeriesName: IsSeriesName,
): { first: string; last: string | undefined } | null {
  const nameStart = /^\[[^\]]+\][ _]*/.exec(stem)?.[0].length ?? 0
  const numberMatch = [...stem.matchAll(PLAIN_NUMBER_PATTERN)].find(
    ({ index }) => index > nameStart && isSeriesName(stem.slice(nameStart, index)),
  )
  return numberMatch ? { first: numberMatch[1] ?? '', last: numberMatch[2] } : null
}
