/** The episode numbers that a file name states, and the name of the series before them. */
import { NUMBER_BEFORE_SEASON_PATTERN_SOURCE, SEASON_WORDS } from './number-words.ts'

export interface EpisodeNumbers {
  season: number
  /** Episode numbers in ascending order. A file may contain several episodes. */
  episodes: number[]
  /** Date of the broadcast, such as `2024-01-15`, if the name has a date in place of episode numbers. */
  airDate?: string
  /**
   * True when the episode numbers may be counted from the first episode of the series, across all seasons.
   */
  isAbsolute?: boolean
  /** True if the file is in a season folder and its name has only one number: 105 can be episode 5 of season 1. */
  mayNumberIncludeSeason?: boolean
  /** Text before the numbers, often the name of the series. */
  textBefore: string
}

/**
 * Returns true if a text is the name of the folder of the series, so that a number after it is an episode number. For
 * an empty text, see `parseEpisodeName`.
 */
export type IsSeriesName = (text: string) => boolean

/** Matches the last number in the name of a file with several episodes: "03-04", "E03-E04", "Episodes 3 and 4". */
export const LAST_NUMBER_PATTERN_SOURCE = String.raw`(?:(?:[-~]| ?[&+] ?| (?:and|et|und) )(?:e|ep)?(\d{1,4}))?`
/** A number that is not a year and not a part of a larger number: "Show Name 05", "Show Name #5", "Show Name [05]". */
const PLAIN_NUMBER_PATTERN = new RegExp(
  `[ ._-]+[#([]?(?!(?:1[89]|20)\\d\\d(?!\\d))(\\d{1,4})(?:v\\d)?${LAST_NUMBER_PATTERN_SOURCE}(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'gu',
)
/**
 * The number of an episode before a word or a character that means "episode", or between two such characters: "5.
 * Bölüm", "5 серия", "5화", "第05話".
 */
export const NUMBER_BEFORE_EPISODE_PATTERN =
  /^(.*?)(?:(?<![\p{L}\d])(\d{1,4})[.ªº]?[ ._-]*(?:серия|серії|bölüm|rész)(?!\p{L})|(?:第[ _]*(?=\d+[ _]*[話话集回])|(?<![\p{L}\d])제?(?=\d+[화회])|(?:^|[ _.-])(?=\d+[話话集]))(\d{1,4})[ _]*[話话集回화회])/iu
/**
 * A season after the name of the series, or without this name: "Show Name S2", "Show Name Season 2", "Show Name 2nd
 * Season", "2 сезон".
 */
const SEASON_AFTER_NAME_PATTERN = new RegExp(
  `^(?:(.*?[^ ._-])[ ._-]+)?\\(?(?:(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,2})|${NUMBER_BEFORE_SEASON_PATTERN_SOURCE})\\)?[ ._-]*$`,
  'iu',
)
/** Words for episodes outside the seasons. Databases list such episodes as season 0. */
export const SPECIAL_WORDS = 'ova|oad|sp|specials?'
const SPECIAL_AFTER_NAME_PATTERN = new RegExp(`^(.*?[^ ._-])[ ._-]+(?:${SPECIAL_WORDS})[ ._-]*$`, 'iu')

/**
 * Splits a name that ends with a season or with a word for specials, such as "Show Name S2". A word for specials is not
 * split off if the whole name is the name of the series. After a split, the episode number of the file counts within
 * the season.
 */
export function splitSeasonFromName(
  name: string,
  isSeriesName: IsSeriesName,
): Pick<EpisodeNumbers, 'textBefore'> & Partial<EpisodeNumbers> {
  const [, textBefore = '', seasonText, ordinalText] = SEASON_AFTER_NAME_PATTERN.exec(name) ?? []
  const seasonNumber = seasonText ?? ordinalText
  // A series may be named like a season.
  if (seasonNumber !== undefined && (textBefore !== '' || !isSeriesName(name)))
    return { season: Number(seasonNumber), isAbsolute: false, textBefore }
  const nameBeforeSpecial = isSeriesName(name) ? undefined : SPECIAL_AFTER_NAME_PATTERN.exec(name)?.[1]
  return nameBeforeSpecial === undefined
    ? { textBefore: name }
    : { season: 0, isAbsolute: false, textBefore: nameBeforeSpecial }
}

/**
 * A special: "Show Name OVA 01", "Show Name - SP1", "Special 3". Release groups also write "[Group] Show Name [SP05]".
 * The capture groups are the name of the series with the word for specials, the name without this word (may be empty),
 * and the number.
 */
const SPECIAL_PATTERN = new RegExp(
  `^(?:\\[[^\\]]+\\][ ._]*)?((.*?)(?<![\\p{L}\\d])\\[?(?:${SPECIAL_WORDS}))[ ._-]*#?(\\d{1,2})(?:v\\d)?(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'iu',
)

const YEAR_IN_BRACKETS_PATTERN = /[([](?:1[89]|20)\d\d[)\]]/

/**
 * Reads the number of a special; null if there is none. The title of a movie may also contain a word for specials, such
 * as "Special". The number is therefore accepted only if the word follows the name of the series, if the file name
 * begins with a release group, or if the file is in a folder of specials.
 */
export function readSpecialEpisode(
  stem: string,
  isSeriesName: IsSeriesName,
  isInSpecialsFolder: boolean,
): Pick<EpisodeNumbers, 'season' | 'episodes' | 'textBefore'> | null {
  const [, nameWithWord = '', nameBefore, episodeText] = SPECIAL_PATTERN.exec(stem) ?? []
  // "Show Name OVA" may be a series of its own.
  if (nameBefore !== '' && isSeriesName(nameWithWord)) return null
  const textBefore = trimSeparators(nameBefore ?? '')
  const hasReleaseGroup = /^\[[^\]]+\]/.test(stem) && textBefore !== ''
  // If the name begins with the word for specials, a year in brackets shows that the file is a movie, such as
  // "Special 26 (2013)".
  const isAfterSeriesName =
    isSeriesName(textBefore) && (textBefore !== '' || !YEAR_IN_BRACKETS_PATTERN.test(stem))
  const isSpecial = isInSpecialsFolder || isAfterSeriesName || hasReleaseGroup
  return episodeText !== undefined && isSpecial
    ? { season: 0, episodes: [Number(episodeText)], textBefore }
    : null
}

/** A season and an episode that are joined by a dot or a hyphen: "1.05", "[1.05]", "#3.11", "1-05". */
const JOINED_BY_DOT_PATTERN =
  /^(?:\[[^\]\d][^\]]*\][ ._]*)?(.*?)(?<![\p{L}\d]|\d[.-])(\[)?#?([1-9]\d?)([.-])(\d\d)(?![\p{L}\d]|[.-]\d)/u
/** In brackets, a larger number after the dot belongs to an aspect ratio. The narrowest ratio is "[1.33]". */
const MAX_EPISODE_IN_BRACKETS = 32

/**
 * Reads a season and an episode that are joined by a dot, or in a season folder by a hyphen. They must follow the name
 * of the series or be in brackets; in a season folder, they may also be at the start of the name. `season` is the
 * season of the folder, or null. If the folder has a season, the first number must be equal to it.
 */
export function readEpisodeAfterDot(
  stem: string,
  season: number | null,
  isSeriesName: IsSeriesName,
): Pick<EpisodeNumbers, 'season' | 'episodes' | 'textBefore'> | null {
  const [, nameBefore = '', bracket, seasonText, separator, episodeText] =
    JOINED_BY_DOT_PATTERN.exec(stem) ?? []
  if (seasonText === undefined || (season === null ? separator !== '.' : Number(seasonText) !== season))
    return null
  const textBefore = trimSeparators(nameBefore)
  if (bracket !== undefined && season === null && Number(episodeText) > MAX_EPISODE_IN_BRACKETS) return null
  const isInBrackets = bracket !== undefined && /\p{L}/u.test(textBefore)
  const isEpisode =
    (isInBrackets && !/(?<!\d)(?:1[89]|20)\d\d(?!\d)/.test(stem)) ||
    (textBefore === '' ? season !== null : isSeriesName(textBefore))
  return isEpisode ? { season: Number(seasonText), episodes: [Number(episodeText)], textBefore } : null
}

/** Removes the separators at the end of a text. */
export const trimSeparators = (text: string) => text.replace(/[ ._-]+$/, '')

/**
 * Returns the name of the series and the numbers that follow it: "Show Name 05 - Title", "Show Name 05-06". Returns
 * null if there are no such numbers.
 */
export function findNumberAfterName(
  stem: string,
  isSeriesName: IsSeriesName,
): { name: string; first: string; last: string | undefined } | null {
  const nameStartIndex = /^\[[^\]]+\][ _]*/.exec(stem)?.[0].length ?? 0
  const numberMatch = [...stem.matchAll(PLAIN_NUMBER_PATTERN)].find(
    ({ index }) => index > nameStartIndex && isSeriesName(stem.slice(nameStartIndex, index)),
  )
  if (!numberMatch) return null
  const name = stem.slice(nameStartIndex, numberMatch.index)
  return { name, first: numberMatch[1] ?? '', last: numberMatch[2] }
}
