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
  /** True when the name has only one number, in a season folder: 105 can then be episode 5 of season 1. */
  mayIncludeSeason?: boolean
  /** Text before the numbers, often the name of the series. */
  textBefore: string
}

const SEASON_WORDS = [
  'season|saison|staffel|temporada|stagione|sezonul|sezona|sezóna|sezon|seizoen|series|säsong|sæson|sesong|kausi|évad',
  'сезон|σεζόν|musim|シーズン|시즌|الموسم',
].join('|')
/** A season folder with the number before the word: "2nd Season", "1. Sezon", "2ª Temporada", "第2季". */
const NUMBER_BEFORE_SEASON_PATTERN = new RegExp(
  `^(?:第[ _]*)?(\\d{1,2})(?:st|nd|rd|th|[.ªº]|er|re|ère|e|ème)?[ ._-]*(?:${SEASON_WORDS}|季|期)$`,
  'iu',
)
const SEASON_FOLDER_PATTERN = new RegExp(`^(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])`, 'iu')
/** A season folder that also names the series: "Show Name S01 1080p", "Show - Season 2". */
const NAMED_SEASON_PATTERN = new RegExp(
  `^(.+?)[ ._-]+(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])(?![ ._-]*e\\d)`,
  'iu',
)
/**
 * Seasons of some series are called parts or books, as in Arabic and French. Films have parts, too, so these words
 * denote a season only in the name of a folder, or in the name of a file before an episode number.
 */
const PART_WORDS = 'الجزء|livre'
const EPISODE_WORDS = [
  'episode|épisode|episodio|episódio|folge|ep|bölüm|odcinek|aflevering|cap[ií]tulo|avsnitt|afsnit|jakso|серия',
  'الحلقة|حلقة',
].join('|')
/** Numbers that are written as words or in Roman numerals, in ascending order from one. */
const ENGLISH_NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const ROMAN_NUMERALS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
const ARABIC_ORDINALS = [
  '[أا]ول[يى]?|حادي(?:ة)?',
  'ثاني?ة?',
  'ثالثة?',
  'رابعة?',
  'خامسة?',
  'سادسة?',
  'سابعة?',
  'ثامنة?',
  'تاسعة?',
  'عاشرة?',
]
const NUMBERED_WORD_PATTERN = new RegExp(`${SEASON_WORDS}|${PART_WORDS}|حلقة`, 'iu')
const WORD_BEFORE_NUMBER = `(?<![\\p{L}\\d])(?:${SEASON_WORDS}|${PART_WORDS}|الحلقة|حلقة)[ ._-]+`
const LATIN_NUMBER_PATTERN = new RegExp(
  `(?<=${WORD_BEFORE_NUMBER})(?:(${ENGLISH_NUMBERS.join('|')})|(${ROMAN_NUMERALS.join('|')}))(?![\\p{L}\\d])`,
  'giu',
)
const ARABIC_ORDINAL_PATTERN = new RegExp(
  `(?<=${WORD_BEFORE_NUMBER})(?:ال)?(?:${ARABIC_ORDINALS.map((ordinal) => `(${ordinal})`).join('|')})([ ._-]+عشرة?)?(?![\\p{L}\\d])`,
  'gu',
)
const PART_FOLDER_PATTERN = new RegExp(`^(?:${PART_WORDS})[ ._-]*(\\d{1,2})$`, 'iu')
const SPECIALS_FOLDER_PATTERN = /^(?:specials?|spéciaux|extras? specials|hors[ ._-]séries?|حلقات خاصة)$/i
const SXXEYY_PATTERN =
  /(?<![\p{L}\d])s(\d{1,4})[ ._-]*(?:ep?|[eé]pisode|folge)[ ._]?(\d{1,4})((?:[ ._]*-?[ ._]*(?:s\d{1,4})?e\d{1,4}|-\d{1,3}(?![\p{L}\d]))*)/iu
const SEASON_X_EPISODE_PATTERN =
  /(?<![\p{L}\d])(\d{1,2})x(\d{2,3})((?:-(?:\d{1,2}x)?\d{2,3}(?![\p{L}\d]))*)(?![\p{L}\d])/iu
/**
 * "Show Name 1x2". Without a name, as in "3x3 Eyes", or before a year, the numbers may be the title of a film. After a
 * year, and as 16x9, they are the shape of the picture.
 */
const SEASON_X_DIGIT_PATTERN =
  /^(.*\p{L}.*?)(?<!(?<!\d)(?:1[89]|20)\d\d[)\]]?)[ ._-]+\[?(?!16x9)(\d{1,2})x(\d)(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/** A season and an episode at the start of a name, before the year of a film: "10x10 (2018)". */
const SEASON_X_FILM_PATTERN = /^\d{1,2}x\d{2,3}(?![\p{L}\d]).*[([](?:1[89]|20)\d\d[)\]]/iu
const SEASON_EPISODE_WORDS_PATTERN = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASON_WORDS}|${PART_WORDS})[ ._-]*(\\d{1,4})[ ._,-]+(?:${EPISODE_WORDS})[ ._-]*(\\d{1,4})(?![\\p{L}\\d])`,
  'iu',
)
const NUMBER_IN_SEASON_FOLDER_PATTERN = new RegExp(
  `^(?:(?:.*?[ ._-])??(?:${EPISODE_WORDS}|e)[ ._-]*(\\d{1,4})|#?(\\d{1,3}))(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'iu',
)
/** A number that is not a year and not a part of a larger number: "Show Name 05", "Show Name #5". */
const PLAIN_NUMBER_PATTERN = /[ ._-]+#?(?!(?:1[89]|20)\d\d(?!\d))(\d{1,4})(?:v\d)?(?![\p{L}\d]|\.\d)/gu
/** Anime without a dash and without a season: "[Group] Show Name 1071 [1080p]". */
const NUMBER_AFTER_GROUP_PATTERN =
  /^\[[^\]]+\][ _]*(\p{L}.*?)[ _]+(?!(?:1[89]|20)\d\d(?!\d))(0\d{1,3}|\d{4})(?:v\d)?(?=[ _]*(?:[[(]|$))/u
/** An episode without a season. The first group is the name of the series, which may be missing. */
const EPISODE_WITHOUT_SEASON_PATTERN =
  /^(.*?)(?<![\p{L}\d])(?:(الحلقة|حلقة)|folge|ep|(episode|épisode))[ ._-]*(\d{1,4})(?![\p{L}\d])/iu
/** "Show Name E05", as releases of series with a single season are named. "E5" may belong to the title of a film. */
const SHORT_EPISODE_PATTERN =
  /^(.*?\p{L}.*?)[ ._-]+(?:e|ep[ ._-]*)(?!(?:1[89]|20)\d\d(?!\d))(\d{2,4})((?:[ ._]*-[ ._]*ep?\d{2,4})*)(?:v\d)?(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/**
 * Outside season folders, a number after the name of the folder is an episode number only if it is at least this high.
 * Smaller numbers usually belong to the films of a collection.
 */
const MIN_NUMBER_WITHOUT_SEASON = 100
const PICTURE_HEIGHTS = new Set(['360', '480', '576', '720', '1080', '1440', '2160'])
/** Episodes of anime are numbered without seasons: "[Group] Show Name - 05v2 (1080p)". */
const NUMBER_AFTER_DASH_PATTERN =
  /^(\[[^\]]+\][ _]*)?(.+?)[ _]+-[ _]+(\d{2,4})(\.\d)?(?:v\d)?(?=[ _]*(?:[[(]|-[ _]|$))/u
/** A season after the name of the series: "Show Name S2", "Show Name Season 2", "Show Name 2nd Season". */
const SEASON_AFTER_NAME_PATTERN = new RegExp(
  `^(.*?[^ ._-])[ ._-]+(?:(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)[ ._-]+season)[ ._-]*$`,
  'iu',
)
/** Daily shows are named by the date on which an episode was broadcast. */
const BROADCAST_DATE_PATTERN = /(?<!\d)(?:19|20)\d\d([-. _])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)/
/** Dates with the year at the end, before which no year in brackets follows. */
const DATE_BEFORE_YEAR_PATTERN =
  /(?<!\d)(\d\d)([-. _])(\d\d)\2((?:19|20)\d\d)(?!\d)(?!.*[([](?:1[89]|20)\d\d[)\]])/
/** Maximum number of episodes in a file. A larger range means that a number was misread. */
const MAX_EPISODES_PER_FILE = 30

/** Returns the season number of a season folder without the series name; null for other folders. */
export function parseSeasonFolder(folderName: string): number | null {
  const name = replaceNumberWords(folderName)
  if (SPECIALS_FOLDER_PATTERN.test(name)) return 0
  const folderMatch =
    SEASON_FOLDER_PATTERN.exec(name) ??
    NUMBER_BEFORE_SEASON_PATTERN.exec(name) ??
    PART_FOLDER_PATTERN.exec(name)
  return folderMatch ? Number(folderMatch[1]) : null
}

/** True for names that only a season folder has. False for "S3" and "الجزء الأول", which other folders may have too. */
export const isCertainSeasonFolder = (folderName: string): boolean =>
  parseSeasonFolder(folderName) !== null &&
  !PART_FOLDER_PATTERN.test(replaceNumberWords(folderName)) &&
  !/^s\d$/i.test(folderName)

/** Returns the series name and season number of a season folder that also names the series; null for other folders. */
export function parseNamedSeasonFolder(folderName: string): { seriesName: string; season: number } | null {
  const folderMatch = NAMED_SEASON_PATTERN.exec(replaceNumberWords(folderName))
  return folderMatch ? { seriesName: folderMatch[1] ?? '', season: Number(folderMatch[2]) } : null
}

/**
 * Replaces numbers that are written in letters: "Season One", "Livre I" and "الموسم الأول" become "Season 1" and so on.
 */
function replaceNumberWords(name: string): string {
  const composedName = name.normalize('NFC')
  if (!NUMBERED_WORD_PATTERN.test(composedName)) return composedName
  return composedName
    .replace(LATIN_NUMBER_PATTERN, (number: string, englishWord?: string) => {
      const numbers = englishWord === undefined ? ROMAN_NUMERALS : ENGLISH_NUMBERS
      return String(numbers.indexOf(number.toLowerCase()) + 1)
    })
    .replace(ARABIC_ORDINAL_PATTERN, (_, ...groups: (string | undefined)[]) => {
      const unit = groups.findIndex((group) => group !== undefined) + 1
      return String(groups[ARABIC_ORDINALS.length] === undefined ? unit : unit + 10)
    })
}

/**
 * Reads the episode numbers of a file; null when its name has none. `fileStem` is the file name without extension,
 * `season` the season of its folder, if known. `isSeriesName` returns true when a text is the name of the series
 * folder: a number after such a text is an episode number. It also returns true for an empty text if a number alone is
 * an episode of the folder.
 */
export function parseEpisodeName(
  fileStem: string,
  season: number | null,
  isSeriesName: (text: string) => boolean = () => false,
): EpisodeNumbers | null {
  const stem = replaceNumberWords(fileStem)
  for (const pattern of [SXXEYY_PATTERN, SEASON_X_EPISODE_PATTERN, SEASON_EPISODE_WORDS_PATTERN]) {
    const episodeMatch = pattern.exec(stem)
    const isFilm = pattern === SEASON_X_EPISODE_PATTERN && season === null && SEASON_X_FILM_PATTERN.test(stem)
    if (!episodeMatch || isFilm) continue
    const episodes = expandRange(Number(episodeMatch[2]), episodeMatch[3] ?? '')
    return { season: Number(episodeMatch[1]), episodes, textBefore: stem.slice(0, episodeMatch.index) }
  }
  const [, nameBeforeDigit, seasonDigits, episodeDigit] = SEASON_X_DIGIT_PATTERN.exec(stem) ?? []
  if (nameBeforeDigit !== undefined)
    return { season: Number(seasonDigits), episodes: [Number(episodeDigit)], textBefore: nameBeforeDigit }
  const broadcast = findBroadcastDate(stem)
  if (broadcast && (broadcast.index > 0 || season !== null)) {
    const { airDate, index } = broadcast
    return { season: season ?? 0, episodes: [], airDate, textBefore: stem.slice(0, index) }
  }
  const [dashText, group, name = '', numberAfterDash, fraction] = NUMBER_AFTER_DASH_PATTERN.exec(stem) ?? []
  const isNumberOfEpisode =
    season !== null || group || isSeriesName(name) || isSeriesName(splitSeason(name).textBefore)
  if (dashText !== undefined && isNumberOfEpisode)
    return {
      season: season ?? 1,
      // A recap such as "13.5" is not an episode of the series.
      episodes: fraction === undefined ? [Number(numberAfterDash)] : [],
      isAbsolute: season === null,
      mayIncludeSeason: season !== null,
      ...splitSeason(name),
    }
  return season === null
    ? parseNumberWithoutSeason(stem, isSeriesName)
    : parseNumberOfSeason(stem, season, isSeriesName)
}

/**
 * Returns the date in a name, such as `2024-03-05`, and its position. A date with the year at its end begins with the
 * day, unless only the month can be first. Returns null if there is no date.
 */
function findBroadcastDate(stem: string): { airDate: string; index: number } | null {
  const isoMatch = BROADCAST_DATE_PATTERN.exec(stem)
  if (isoMatch) return { airDate: isoMatch[0].replaceAll(/\D/g, '-'), index: isoMatch.index }
  const dateMatch = DATE_BEFORE_YEAR_PATTERN.exec(stem)
  if (!dateMatch) return null
  const [, first = '', , second = '', year] = dateMatch
  const [day, month] = Number(second) > 12 ? [second, first] : [first, second]
  const isPossible = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31
  return isPossible ? { airDate: `${year}-${month}-${day}`, index: dateMatch.index } : null
}

/** Splits a name that ends with a season. The number of an episode after such a name counts within the season. */
function splitSeason(name: string): Pick<EpisodeNumbers, 'textBefore'> & Partial<EpisodeNumbers> {
  const [, textBefore, seasonNumber, ordinalNumber] = SEASON_AFTER_NAME_PATTERN.exec(name) ?? []
  return textBefore === undefined
    ? { textBefore: name }
    : { season: Number(seasonNumber ?? ordinalNumber), isAbsolute: false, textBefore }
}

function parseNumberOfSeason(
  stem: string,
  season: number,
  isSeriesName: (text: string) => boolean,
): EpisodeNumbers | null {
  const numberMatch = NUMBER_IN_SEASON_FOLDER_PATTERN.exec(stem)
  const episodeText = numberMatch?.[1] ?? findNumberAfterName(stem, isSeriesName) ?? numberMatch?.[2]
  if (episodeText === undefined) return null
  return { season, episodes: [Number(episodeText)], mayIncludeSeason: true, textBefore: '' }
}

/** Reads an episode outside of season folders. Its number may be counted from the first episode (`isAbsolute`). */
function parseNumberWithoutSeason(
  stem: string,
  isSeriesName: (text: string) => boolean,
): EpisodeNumbers | null {
  const createNumbers = (episodeText: string, textBefore: string): EpisodeNumbers => ({
    season: 1,
    episodes: [Number(episodeText)],
    isAbsolute: true,
    ...splitSeason(textBefore),
  })
  const [, nameBefore = '', arabicWord, longWord, episodeText = ''] =
    EPISODE_WITHOUT_SEASON_PATTERN.exec(stem) ?? []
  const seriesName = nameBefore.replace(/[ ._-]+$/, '')
  // No film title contains the Arabic word for episode. With the English word, "Star Wars Episode 4" is a film and
  // "Show Episode 04" is an episode.
  const isEpisode =
    arabicWord !== undefined || (isSeriesName(seriesName) && (!longWord || /^0|\d\d/.test(episodeText)))
  if (episodeText !== '' && isEpisode) return createNumbers(episodeText, seriesName)
  const [, shortSeriesName = '', shortNumber = '', rangeText = ''] = SHORT_EPISODE_PATTERN.exec(stem) ?? []
  if (shortNumber !== '')
    return {
      ...createNumbers(shortNumber, shortSeriesName),
      episodes: expandRange(Number(shortNumber), rangeText),
    }
  const [, groupSeriesName = '', groupNumber] = NUMBER_AFTER_GROUP_PATTERN.exec(stem) ?? []
  if (groupNumber !== undefined) return createNumbers(groupNumber, groupSeriesName)
  const numberAfterName = findNumberAfterName(stem, isSeriesName)
  if (numberAfterName === undefined || PICTURE_HEIGHTS.has(numberAfterName)) return null
  if (Number(numberAfterName) < MIN_NUMBER_WITHOUT_SEASON) return null
  return createNumbers(numberAfterName, '')
}

/** Returns the number that follows the name of the series: "Show Name 05 - Title". */
function findNumberAfterName(stem: string, isSeriesName: (text: string) => boolean): string | undefined {
  const nameStart = /^\[[^\]]+\][ _]*/.exec(stem)?.[0].length ?? 0
  return [...stem.matchAll(PLAIN_NUMBER_PATTERN)].find(
    ({ index }) => index > nameStart && isSeriesName(stem.slice(nameStart, index)),
  )?.[1]
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
