/** Reads season and episode numbers from file names. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { findBroadcastDate } from './broadcast-date.ts'
import {
  type EpisodeNumbers,
  findNumberAfterName,
  type IsSeriesName,
  LAST_NUMBER_PATTERN_SOURCE,
  NUMBER_BEFORE_EPISODE_PATTERN,
  readEpisodeAfterDot,
  readSpecialEpisode,
  splitSeasonFromName,
  trimSeparators,
} from './episode-numbers.ts'
import { expandEpisodeRange, expandPlainRange } from './episode-range.ts'
import { parseNumberWithoutSeason } from './number-without-season.ts'
import {
  EPISODE_WORDS,
  PART_WORDS,
  ROMAN_NUMERALS,
  replaceNumberWords,
  SEASON_WORDS,
} from './number-words.ts'

/** Matches "S01E02", and "T01E02", in which "T" stands for the Spanish and Portuguese word for season. */
const SXXEYY_PATTERN =
  /(?<![\p{L}\d])(?:s|t(?=\d{1,2}[ ._-]?e\d))(\d{1,4})[\][ ._x-]*(?:[eé]p?|[eé]pisode|folge)[ ._]?(\d{1,4})((?:[ ._]*(?:[-&+x~]|to|and|et|und|bis|à)?[ ._]*(?:s\d{1,4})?e\d{1,4}|[-+~,]\d{1,3}(?![\p{L}\d])| ?& ?\d{1,3}(?=$| ?[-[(]))*)/iu
/** Matches "1x02", and for several episodes "1x02-03", "1x02-x03", "1x02x03" and "1x02.1x03". */
const SEASON_X_EPISODE_PATTERN =
  /(?<![\p{L}\d])(\d{1,2})x(\d{2,3})((?:(?:[._]\1|(?:-| ?[+&] ?)(?:\1)?)?x\d{2,3}(?!\d)|-\d{2,3}(?![\p{L}\d]))*)(?![\p{L}\d])/iu
/** Spanish releases join season and episode after "Cap." (capítulo): "[Cap.105]", "[Cap.105_106]". */
const JOINED_SEASON_EPISODE_PATTERN = /\[cap[ ._]?(\d{1,2})(\d\d)((?:_\d{3,4})?)\]/iu
/**
 * Matches "Show Name 1x2". Without a name, as in "3x3 Eyes", or before a year, the numbers may be the title of a movie.
 * After a year, and in "16x9", the numbers are an aspect ratio.
 */
const SEASON_X_DIGIT_PATTERN =
  /^(.*\p{L}.*?)(?<!(?<!\d)(?:1[89]|20)\d\d[)\]]?)[ ._-]+\[?(?!16x9)(\d{1,2})x(\d)(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/** Matches a name that looks like a season and an episode, but is a movie, because a year follows: "10x10 (2018)". */
const SEASON_X_MOVIE_PATTERN = /^\d{1,2}x\d{2,3}(?![\p{L}\d]).*[([](?:1[89]|20)\d\d[)\]]/iu
const SEASON_EPISODE_WORDS_PATTERN = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASON_WORDS}|${PART_WORDS}|[جم])[ ._-]*(\\d{1,4})[ ._,)\\]-]+(?:${EPISODE_WORDS}|ح)[ ._-]*(\\d{1,4})(?![\\p{L}\\d])((?:(?:-| ?[&+] ?)\\d{1,3}(?![\\p{L}\\d]))?)`,
  'iu',
)
const NUMBER_IN_SEASON_FOLDER_PATTERN = new RegExp(
  `^(?:(?:.*?[ ._-])??(?:${EPISODE_WORDS}|e|ح)[ ._-]*(\\d{1,4})|(?:\\[[^\\]\\d][^\\]]*\\][ ._]*)*[#([]?(\\d{1,3}))${LAST_NUMBER_PATTERN_SOURCE}(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'iu',
)
/** Season and episode with a single digit in a season folder: "2x3 - Name". */
const SEASON_X_DIGIT_ALONE_PATTERN = /^\[?(\d{1,2})x(\d)(?![\p{L}\d])/iu
/** The parts of a miniseries in a season folder: "Show Name - Part 2", "Show Name Part II". */
const PART_OF_SEASON_PATTERN =
  /^(.*?)(?<![\p{L}\d])(?:part|pt|partie|parte|teil)[ ._-]*(?:(\d{1,2})|([ivx]{1,4}))(?![\p{L}\d])/iu
/** Episodes of anime are numbered without seasons: "[Group] Show Name - 05v2 (1080p)". */
const NUMBER_AFTER_DASH_PATTERN =
  /^(\[[^\]]+\][ ._]*)?(.+?)[ ._]+-[ ._]+(\d{2,4}|(?<=^\[[^\]]+\].*)\d(?=[ ._]*[[(]))(\.\d(?!\d))?(?:v\d)?((?:[-~]\d{2,4})?)(?:[ ._]+(?:END|FIN))?(?=[ ._]*(?:[[(]|-[ ._]|$))/u
/** A date without separators, which many other numbers resemble: "20240305". */
const COMPACT_DATE_PATTERN = /^(.*?)(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/

/**
 * Reads the episode numbers of a file; null if its name has none. `fileStem` is the file name without extension.
 * `season` is the season that the folder names; null if the folder names none. `isSeriesName` returns true if a text is
 * the name of the series folder: a number after such a text is an episode number. `isSeriesName` also returns true for
 * an empty text if a file name that consists only of a number is an episode of the folder.
 */
export function parseEpisodeName(
  fileStem: string,
  season: number | null,
  isSeriesName: IsSeriesName = () => false,
): EpisodeNumbers | null {
  const stem = replaceNumberWords(fileStem)
  for (const pattern of [
    SXXEYY_PATTERN,
    SEASON_X_EPISODE_PATTERN,
    SEASON_EPISODE_WORDS_PATTERN,
    JOINED_SEASON_EPISODE_PATTERN,
  ]) {
    const episodeMatch = pattern.exec(stem)
    const isMovie =
      pattern === SEASON_X_EPISODE_PATTERN && season === null && SEASON_X_MOVIE_PATTERN.test(stem)
    if (!episodeMatch || isMovie) continue
    const rangeText = episodeMatch[3] ?? ''
    const rangeEndText = pattern === JOINED_SEASON_EPISODE_PATTERN ? rangeText.slice(-2) : rangeText
    const episodes = expandEpisodeRange(Number(episodeMatch[2]), rangeEndText)
    const textBefore = stem.slice(0, episodeMatch.index)
    const textAfter = stem.slice(episodeMatch.index + episodeMatch[0].length)
    const nextEpisodeMatch = pattern === SXXEYY_PATTERN ? pattern.exec(textAfter) : null
    // The names of two episodes may be joined: "Show S01E02 - Show S01E03".
    if (
      nextEpisodeMatch &&
      foldSearchText(textAfter.slice(0, nextEpisodeMatch.index)) === foldSearchText(textBefore) &&
      Number(nextEpisodeMatch[1]) === Number(episodeMatch[1]) &&
      Number(nextEpisodeMatch[2]) === (episodes.at(-1) ?? 0) + 1
    )
      episodes.push(Number(nextEpisodeMatch[2]))
    return { season: Number(episodeMatch[1]), episodes, textBefore }
  }
  const specialEpisode = readSpecialEpisode(stem, isSeriesName, season === 0)
  if (specialEpisode) return specialEpisode
  const [, nameBeforeDigit, seasonDigits, episodeDigit] = SEASON_X_DIGIT_PATTERN.exec(stem) ?? []
  if (nameBeforeDigit !== undefined)
    return { season: Number(seasonDigits), episodes: [Number(episodeDigit)], textBefore: nameBeforeDigit }
  const [, seasonOfEpisode, episodeAlone] = SEASON_X_DIGIT_ALONE_PATTERN.exec(stem) ?? []
  if (seasonOfEpisode !== undefined && Number(seasonOfEpisode) === season)
    return { season, episodes: [Number(episodeAlone)], textBefore: '' }
  const broadcastDate = findBroadcastDate(stem)
  if (broadcastDate && (broadcastDate.startIndex > 0 || season !== null)) {
    const { airDate, startIndex } = broadcastDate
    return { season: season ?? 0, episodes: [], airDate, textBefore: stem.slice(0, startIndex) }
  }
  // A date at the start of a name does not show that the file is an episode, because cameras name their recordings in
  // this way. The name of the series must therefore follow the date.
  const textAfterDate = broadcastDate ? stem.slice(broadcastDate.endIndex).replace(/^[ ._-]+/, '') : ''
  if (broadcastDate && textAfterDate !== '' && isSeriesName(textAfterDate.split(' - ')[0] ?? ''))
    return { season: 0, episodes: [], airDate: broadcastDate.airDate, textBefore: '' }
  const [, nameBeforeDate = '', ...compactDate] = COMPACT_DATE_PATTERN.exec(stem) ?? []
  const isDateInYearFolder = nameBeforeDate === '' && season !== null && String(season) === compactDate[0]
  if (isDateInYearFolder || (nameBeforeDate !== '' && isSeriesName(trimSeparators(nameBeforeDate))))
    return { season: season ?? 0, episodes: [], airDate: compactDate.join('-'), textBefore: nameBeforeDate }
  const episodeAfterDot = readEpisodeAfterDot(stem, season, isSeriesName)
  if (episodeAfterDot) return episodeAfterDot
  const [dashText, group, name = '', numberAfterDash, fraction, rangeText = ''] =
    NUMBER_AFTER_DASH_PATTERN.exec(stem) ?? []
  const isEpisodeNumber =
    season !== null ||
    group ||
    isSeriesName(name) ||
    isSeriesName(splitSeasonFromName(name, isSeriesName).textBefore)
  if (dashText !== undefined && isEpisodeNumber)
    return {
      season: season ?? 1,
      // A recap has a number such as "13.5" and is not an episode of the series, so its list of episodes is empty.
      episodes: fraction === undefined ? expandEpisodeRange(Number(numberAfterDash), rangeText) : [],
      isAbsolute: season === null,
      mayNumberIncludeSeason: season !== null,
      ...splitSeasonFromName(name, isSeriesName),
    }
  return season === null
    ? parseNumberWithoutSeason(stem, isSeriesName)
    : parseNumberWithinSeason(stem, season, isSeriesName)
}

function parseNumberWithinSeason(
  stem: string,
  season: number,
  isSeriesName: IsSeriesName,
): EpisodeNumbers | null {
  const [, numberAfterWord, plainNumber, lastNumber] = NUMBER_IN_SEASON_FOLDER_PATTERN.exec(stem) ?? []
  const createEpisodeNumbers = (episodes: number[]) => ({
    season,
    episodes,
    mayNumberIncludeSeason: true,
    textBefore: '',
  })
  if (numberAfterWord !== undefined)
    return createEpisodeNumbers(expandPlainRange(numberAfterWord, lastNumber))
  const numberBeforeWordMatch = NUMBER_BEFORE_EPISODE_PATTERN.exec(stem)
  if (numberBeforeWordMatch)
    return createEpisodeNumbers([Number(numberBeforeWordMatch[2] ?? numberBeforeWordMatch[3])])
  const numberAfterName = findNumberAfterName(stem, isSeriesName)
  if (numberAfterName)
    return createEpisodeNumbers(expandPlainRange(numberAfterName.first, numberAfterName.last))
  if (plainNumber !== undefined) return createEpisodeNumbers(expandPlainRange(plainNumber, lastNumber))
  const [, nameBefore, part, romanPart = ''] = PART_OF_SEASON_PATTERN.exec(stem) ?? []
  if (
    nameBefore === undefined ||
    !(trimSeparators(nameBefore) === '' || isSeriesName(trimSeparators(nameBefore)))
  )
    return null
  const episode = part === undefined ? ROMAN_NUMERALS.indexOf(romanPart.toLowerCase()) + 1 : Number(part)
  return episode > 0 ? createEpisodeNumbers([episode]) : null
}
