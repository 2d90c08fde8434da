/**
 * Reads the episode number of a file outside season folders. Such a number may be counted from the first episode of the
 * series (`isAbsolute`).
 */
import {
  type EpisodeNumbers,
  findNumberAfterName,
  type IsSeriesName,
  NUMBER_BEFORE_EPISODE_PATTERN,
  splitSeasonFromName,
  trimSeparators,
} from './episode-numbers.ts'
import { expandEpisodeRange, expandPlainRange } from './episode-range.ts'
import { SERIES_EPISODE_WORDS, TITLE_EPISODE_WORDS } from './number-words.ts'

/** The episodes of a file and the text before their numbers. */
type FoundEpisodeNumbers = Pick<EpisodeNumbers, 'episodes' | 'textBefore'>
/** Reads the numbers from names of one form (EPISODE_NUMBER_READERS). Returns null for a name of another form. */
type EpisodeNumberReader = (stem: string, isSeriesName: IsSeriesName) => FoundEpisodeNumbers | null

/**
 * A number after a word for "episode". Capture groups: the name of the series (may be empty), the Arabic word, a word
 * of SERIES_EPISODE_WORDS, a word of TITLE_EPISODE_WORDS, and the number. An abbreviation is in no group.
 */
const NUMBER_AFTER_EPISODE_WORD_PATTERN = new RegExp(
  `^(.*?)(?<![\\p{L}\\d])(?:((?:ال)?حلق[ةه]|ح)|ep|ép|odc|(${SERIES_EPISODE_WORDS})|(${TITLE_EPISODE_WORDS}))[ ._-]*(\\d{1,4})(?![\\p{L}\\d])`.normalize(
    'NFC',
  ),
  'iu',
)
/**
 * Matches "Show Name E05", as in releases of series with a single season. "E5" may belong to the title of a movie, so
 * the number needs two digits.
 */
const SHORT_EPISODE_PATTERN =
  /^(.*?\p{L}.*?)[ ._-]+(?:e|ep[ ._-]*)(?!(?:1[89]|20)\d\d(?!\d))(\d{2,4})((?:[ ._]*-[ ._]*ep?\d{2,4})*)(?:v\d)?(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/** Matches anime releases without a dash and without a season: "[Group] Show Name 1071 [1080p]". */
const NUMBER_AFTER_GROUP_PATTERN =
  /^\[[^\]]+\][ _]*(\p{L}.*?)[ _]+(?!(?:1[89]|20)\d\d(?!\d))(0\d{1,3}|\d{4})(?:v\d)?(?=[ _]*(?:[[(]|$))/u
/** Matches release names with the number in brackets: "[Group][Show Name][05][1080p]", "[Group] Show Name [05]". */
const BRACKETED_NUMBER_PATTERN =
  /^\[[^\]]+\][ _]*\[?([^[\]]*\p{L}[^[\]]*?)[ _]*\]?[ _]*\[(?!(?:1[89]|20)\d\d\])(\d{2,4})(?:v\d)?(?:[ _]?(?:END|FIN))?\]/u
/** The parts of a documentary: "Show Name 2of6". A movie in two parts may be named in this way too. */
const PART_OF_TOTAL_PATTERN = /^(.*\p{L}.*?)[ ._(-]+(\d{1,2})[ ._]?of[ ._]?(\d{1,2})(?![\p{L}\d])/iu
const MIN_TOTAL_PARTS = 3
/**
 * Outside season folders, a number after the name of the series is an episode number if it is at least this high. A
 * lower number is an episode number only if it has a leading zero and the file name has no year. Other lower numbers
 * usually belong to the movies of a collection.
 */
const MIN_NUMBER_WITHOUT_SEASON = 100
const ZERO_PADDED_NUMBER_PATTERN = /^0\d{1,2}$/
/** A year, but not the width of a picture: "1920x1080". */
const YEAR_PATTERN = /(?<!\d)(?:1[89]|20)\d\d(?!\d|x\d)/i
/**
 * Matches a season and an episode without a separator, as release groups wrote them in lower case for television
 * recordings: "show.name.102.hdtv-group". Capture groups: the name of the series, the season and the episode.
 */
const JOINED_RECORDING_PATTERN =
  /^([a-z\d.]+?)\.([1-9])(\d\d)\.(?:[a-z\d.]+\.)?(?:hdtv|pdtv|dsr|dvdrip)(?![a-z\d])/
const PICTURE_HEIGHTS = new Set(['360', '480', '576', '720', '1080', '1440', '2160'])

/**
 * Reads a number after a word for "episode". After the Arabic word, every number is an episode number, because no movie
 * title contains this word. Other words must follow the name of the series, or a name that begins with a release group.
 * Words that are not abbreviations may also follow another name if the file name has no year and the number has two or
 * three digits. After a word that titles of movies also contain, the number always needs at least two digits: "Star
 * Wars Episode 4" is a movie, and "Show Episode 04" is an episode.
 */
function readNumberAfterEpisodeWord(stem: string, isSeriesName: IsSeriesName): FoundEpisodeNumbers | null {
  const [, nameBefore = '', arabicWord, seriesWord, titleWord, episodeText = ''] =
    NUMBER_AFTER_EPISODE_WORD_PATTERN.exec(stem) ?? []
  const textBefore = trimSeparators(nameBefore)
  const isOfSeries =
    (isSeriesName(textBefore) && (textBefore !== '' || !YEAR_PATTERN.test(stem))) ||
    /^\[(?!\d{4}\])[^\]]+\][ _]*\p{L}/u.test(textBefore)
  const isLongNumber = /^0|\d\d/.test(episodeText)
  const isOfNamedSeries =
    (seriesWord ?? titleWord) !== undefined && /\p{L}/u.test(textBefore) && !YEAR_PATTERN.test(stem)
  const isEpisode =
    arabicWord !== undefined ||
    (isOfSeries && (!titleWord || isLongNumber)) ||
    (isOfNamedSeries && /^\d{2,3}$/.test(episodeText))
  return episodeText !== '' && isEpisode ? { episodes: [Number(episodeText)], textBefore } : null
}

function readShortEpisode(stem: string): FoundEpisodeNumbers | null {
  const [, textBefore = '', episodeText = '', rangeText = ''] = SHORT_EPISODE_PATTERN.exec(stem) ?? []
  return episodeText === ''
    ? null
    : { episodes: expandEpisodeRange(Number(episodeText), rangeText), textBefore }
}

const readNumberAfterGroup = (stem: string) => readNumberByPattern(NUMBER_AFTER_GROUP_PATTERN, stem)
const readBracketedNumber = (stem: string) => readNumberByPattern(BRACKETED_NUMBER_PATTERN, stem)

function readNumberByPattern(pattern: RegExp, stem: string): FoundEpisodeNumbers | null {
  const [, textBefore = '', episodeText] = pattern.exec(stem) ?? []
  const isEpisode = episodeText !== undefined && !PICTURE_HEIGHTS.has(episodeText)
  return isEpisode ? { episodes: [Number(episodeText)], textBefore } : null
}

/**
 * Reads a number before the word for "episode". A number between signs such as "第05話" is always an episode number. Any
 * other name with a year, or with the Hungarian "rész", may be the name of a movie: "2. rész" means both "episode 2"
 * and "part 2". Such a name needs the name of the series before the number.
 */
function readNumberBeforeEpisodeWord(stem: string, isSeriesName: IsSeriesName): FoundEpisodeNumbers | null {
  const [, nameBefore, numberBeforeWord, cjkNumber] = NUMBER_BEFORE_EPISODE_PATTERN.exec(stem) ?? []
  const textBefore = trimSeparators(nameBefore ?? '')
  const isEpisode =
    cjkNumber !== undefined || isSeriesName(textBefore) || !(YEAR_PATTERN.test(stem) || /rész/iu.test(stem))
  return nameBefore !== undefined && isEpisode
    ? { episodes: [Number(numberBeforeWord ?? cjkNumber)], textBefore }
    : null
}

function readPartOfTotal(stem: string): FoundEpisodeNumbers | null {
  const [, textBefore = '', part, total] = PART_OF_TOTAL_PATTERN.exec(stem) ?? []
  const isEpisode =
    Number(total) >= MIN_TOTAL_PARTS && Number(part) <= Number(total) && !YEAR_PATTERN.test(stem)
  return isEpisode ? { episodes: [Number(part)], textBefore } : null
}

/**
 * Matches a file name without the name of the series: "E01", "E01 - Title", "Episode 1". `readEpisodeAlone` accepts
 * such a name only in the folder of a series, and only without a year, because a year shows that the file is a movie.
 */
const EPISODE_ALONE_PATTERN = new RegExp(
  `^(?:e(\\d{2,3})(?![\\p{L}\\d])|(?:ep|ép|odc|${SERIES_EPISODE_WORDS}|${TITLE_EPISODE_WORDS})[ ._]{0,2}(\\d{1,3})(?=$| - ))`.normalize(
    'NFC',
  ),
  'iu',
)
const readEpisodeAlone: EpisodeNumberReader = (stem, isSeriesName) => {
  const [, shortNumber, number] = EPISODE_ALONE_PATTERN.exec(removeBracketedWords(stem)) ?? []
  const episode = shortNumber ?? number
  return episode !== undefined && isSeriesName('') && !YEAR_PATTERN.test(stem)
    ? { episodes: [Number(episode)], textBefore: '' }
    : null
}

const readNumberAlone: EpisodeNumberReader = (stem, isSeriesName) =>
  ZERO_PADDED_NUMBER_PATTERN.test(removeBracketedWords(stem)) && isSeriesName('')
    ? { episodes: [Number(removeBracketedWords(stem))], textBefore: '' }
    : null
const removeBracketedWords = (stem: string) => stem.replace(/\[[^\]]*\]/g, ' ').trim()

function readNumberAfterSeriesName(stem: string, isSeriesName: IsSeriesName): FoundEpisodeNumbers | null {
  const foundNumber = findNumberAfterName(stem, isSeriesName)
  if (!foundNumber || PICTURE_HEIGHTS.has(foundNumber.first)) return null
  const isEpisode =
    Number(foundNumber.first) >= MIN_NUMBER_WITHOUT_SEASON ||
    (ZERO_PADDED_NUMBER_PATTERN.test(foundNumber.first) && !YEAR_PATTERN.test(stem))
  return isEpisode
    ? { episodes: expandPlainRange(foundNumber.first, foundNumber.last), textBefore: foundNumber.name }
    : null
}

/**
 * One reader for each form of names, in the order in which they are tried. The first reader that finds a number
 * determines the result.
 */
const EPISODE_NUMBER_READERS: readonly EpisodeNumberReader[] = [
  readNumberAfterEpisodeWord,
  readShortEpisode,
  readNumberAfterGroup,
  readBracketedNumber,
  readNumberBeforeEpisodeWord,
  readPartOfTotal,
  readEpisodeAlone,
  readNumberAlone,
  readNumberAfterSeriesName,
]

/**
 * Returns the episode number that a name states; null if there is none. `isSeriesName` is explained at
 * `parseEpisodeName`.
 */
export function parseNumberWithoutSeason(stem: string, isSeriesName: IsSeriesName): EpisodeNumbers | null {
  const [, textBefore = '', seasonText, episodeText] = JOINED_RECORDING_PATTERN.exec(stem) ?? []
  if (seasonText !== undefined && isSeriesName(textBefore) && !YEAR_PATTERN.test(stem))
    return { season: Number(seasonText), episodes: [Number(episodeText)], textBefore }
  for (const readNumber of EPISODE_NUMBER_READERS) {
    const foundNumbers = readNumber(stem, isSeriesName)
    if (foundNumbers)
      return {
        season: 1,
        isAbsolute: true,
        episodes: foundNumbers.episodes,
        ...splitSeasonFromName(foundNumbers.textBefore, isSeriesName),
      }
  }
  return null
}
