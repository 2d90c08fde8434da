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
  'episodes?|épisodes?|episodio|episódio|folge|ep|bölüm|odcinek|aflevering|cap[ií]tulo|avsnitt|afsnit|jakso|серия',
  'الحلقة|حلقة',
].join('|')
/** Numbers that are written as words or in Roman numerals, in ascending order from one. */
export const ENGLISH_NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
export const ROMAN_NUMERALS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
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
/** "S01E02", and "T01E02" for the word for season in Spanish and Portuguese. */
const SXXEYY_PATTERN =
  /(?<![\p{L}\d])(?:s|t(?=\d{1,2}[ ._-]?e\d))(\d{1,4})[ ._-]*(?:ep?|[eé]pisode|folge)[ ._]?(\d{1,4})((?:[ ._]*(?:[-&+x]|to|and|et|und|bis|à)?[ ._]*(?:s\d{1,4})?e\d{1,4}|[-+]\d{1,3}(?![\p{L}\d]))*)/iu
/** "1x02", and for several episodes "1x02-03", "1x02-x03", "1x02x03" and "1x02.1x03". */
const SEASON_X_EPISODE_PATTERN =
  /(?<![\p{L}\d])(\d{1,2})x(\d{2,3})((?:(?:[._]\1|(?:-| ?[+&] ?)(?:\1)?)?x\d{2,3}(?!\d)|-\d{2,3}(?![\p{L}\d]))*)(?![\p{L}\d])/iu
/** Spanish releases join season and episode: "[Cap.105]", "[Cap.105_106]". */
const JOINED_CHAPTER_PATTERN = /\[cap[ ._]?(\d{1,2})(\d\d)((?:_\d{3,4})?)\]/iu
/**
 * "Show Name 1x2". Without a name, as in "3x3 Eyes", or before a year, the numbers may be the title of a film. After a
 * year, and as 16x9, they are the shape of the picture.
 */
const SEASON_X_DIGIT_PATTERN =
  /^(.*\p{L}.*?)(?<!(?<!\d)(?:1[89]|20)\d\d[)\]]?)[ ._-]+\[?(?!16x9)(\d{1,2})x(\d)(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/** A season and an episode at the start of a name, before the year of a film: "10x10 (2018)". */
const SEASON_X_FILM_PATTERN = /^\d{1,2}x\d{2,3}(?![\p{L}\d]).*[([](?:1[89]|20)\d\d[)\]]/iu
const SEASON_EPISODE_WORDS_PATTERN = new RegExp(
  `(?<![\\p{L}\\d])(?:${SEASON_WORDS}|${PART_WORDS}|[جم])[ ._-]*(\\d{1,4})[ ._,)\\]-]+(?:${EPISODE_WORDS}|ح)[ ._-]*(\\d{1,4})(?![\\p{L}\\d])`,
  'iu',
)
/** The last episode of a file with several: "03-04", "E03-E04", "Episodes 3 & 4". */
const LAST_NUMBER = String.raw`(?:(?:-| ?[&+] ?)(?:e|ep)?(\d{1,4}))?`
const NUMBER_IN_SEASON_FOLDER_PATTERN = new RegExp(
  `^(?:(?:.*?[ ._-])??(?:${EPISODE_WORDS}|e)[ ._-]*(\\d{1,4})|#?(\\d{1,3}))${LAST_NUMBER}(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'iu',
)
/** A number that is not a year and not a part of a larger number: "Show Name 05", "Show Name #5". */
const PLAIN_NUMBER_PATTERN = new RegExp(
  `[ ._-]+#?(?!(?:1[89]|20)\\d\\d(?!\\d))(\\d{1,4})(?:v\\d)?${LAST_NUMBER}(?![\\p{L}\\d]|\\.\\d(?![\\p{L}\\d]))`,
  'gu',
)
/** The parts of a miniseries in a season folder: "Show Name - Part 2", "Show Name Part II". */
const PART_OF_SEASON_PATTERN =
  /^(.*?)(?<![\p{L}\d])(?:part|pt|partie|parte|teil)[ ._-]*(?:(\d{1,2})|([ivx]{1,4}))(?![\p{L}\d])/iu
/** The parts of a documentary: "Show Name 2of6". A film in two parts may be named in this way too. */
const PART_OF_TOTAL_PATTERN = /^(.*\p{L}.*?)[ ._(-]+(\d{1,2})[ ._]?of[ ._]?(\d{1,2})(?![\p{L}\d])/iu
const MIN_TOTAL_PARTS = 3
/** Anime without a dash and without a season: "[Group] Show Name 1071 [1080p]". */
const NUMBER_AFTER_GROUP_PATTERN =
  /^\[[^\]]+\][ _]*(\p{L}.*?)[ _]+(?!(?:1[89]|20)\d\d(?!\d))(0\d{1,3}|\d{4})(?:v\d)?(?=[ _]*(?:[[(]|$))/u
/** Releases with every word in brackets: "[Group][Show Name][05][1080p]", "[Group] Show Name [05]". */
const BRACKETED_NUMBER_PATTERN =
  /^\[[^\]]+\][ _]*\[?([^[\]]*\p{L}[^[\]]*?)[ _]*\]?[ _]*\[(?!(?:1[89]|20)\d\d\])(\d{2,4})(?:v\d)?(?:[ _]?(?:END|FIN))?\]/u
/** The number of an episode before the word, or between two signs: "5. Bölüm", "5 серия", "第05話". */
const NUMBER_BEFORE_EPISODE_PATTERN =
  /^(.*?)(?:(?<![\p{L}\d])(\d{1,4})[.ªº]?[ ._-]*(?:серия|серії|bölüm|rész)(?!\p{L})|第[ _]*(\d{1,4})[ _]*[話话集回])/iu
/** An episode without a season. The first group is the name of the series, which may be missing. */
const EPISODE_WITHOUT_SEASON_PATTERN =
  /^(.*?)(?<![\p{L}\d])(?:(الحلقة|حلقة|ح)|folge|ep|(episode|épisode))[ ._-]*(\d{1,4})(?![\p{L}\d])/iu
/** "Show Name E05", as releases of series with a single season are named. "E5" may belong to the title of a film. */
const SHORT_EPISODE_PATTERN =
  /^(.*?\p{L}.*?)[ ._-]+(?:e|ep[ ._-]*)(?!(?:1[89]|20)\d\d(?!\d))(\d{2,4})((?:[ ._]*-[ ._]*ep?\d{2,4})*)(?:v\d)?(?![\p{L}\d])(?!.*(?<!\d)(?:1[89]|20)\d\d(?!\d))/iu
/**
 * Outside season folders, a number after the name of the folder is an episode number only if it is at least this high,
 * or if it has a leading zero and the name has no year. Other numbers usually belong to the films of a collection.
 */
const MIN_NUMBER_WITHOUT_SEASON = 100
const ZERO_PADDED_PATTERN = /^0\d{1,2}$/
const YEAR_PATTERN = /(?<!\d)(?:1[89]|20)\d\d(?!\d)/
const PICTURE_HEIGHTS = new Set(['360', '480', '576', '720', '1080', '1440', '2160'])
/** Episodes of anime are numbered without seasons: "[Group] Show Name - 05v2 (1080p)". */
const NUMBER_AFTER_DASH_PATTERN =
  /^(\[[^\]]+\][ _]*)?(.+?)[ _]+-[ _]+(\d{2,4})(\.\d)?(?:v\d)?((?:-\d{2,4})?)(?:[ _]+(?:END|FIN))?(?=[ _]*(?:[[(]|-[ _]|$))/u
/** A season after the name of the series: "Show Name S2", "Show Name Season 2", "Show Name 2nd Season". */
const SEASON_AFTER_NAME_PATTERN = new RegExp(
  `^(.*?[^ ._-])[ ._-]+\\(?(?:(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,2})|(\\d{1,2})(?:st|nd|rd|th)[ ._-]+season)\\)?[ ._-]*$`,
  'iu',
)
/** Daily shows are named by the date on which an episode was broadcast. */
const BROADCAST_DATE_PATTERN = /(?<!\d)(?:19|20)\d\d([-. _])(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)/
/** Dates with the year at the end, before which no year in brackets follows. */
const DATE_BEFORE_YEAR_PATTERN =
  /(?<!\d)(\d\d)([-. _])(\d\d)\2((?:19|20)\d\d)(?!\d)(?!.*[([](?:1[89]|20)\d\d[)\]])/
/** A date without separators, which many other numbers resemble: "20240305". */
const COMPACT_DATE_PATTERN = /^(.*?)(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/
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
  for (const pattern of [
    SXXEYY_PATTERN,
    SEASON_X_EPISODE_PATTERN,
    SEASON_EPISODE_WORDS_PATTERN,
    JOINED_CHAPTER_PATTERN,
  ]) {
    const episodeMatch = pattern.exec(stem)
    const isFilm = pattern === SEASON_X_EPISODE_PATTERN && season === null && SEASON_X_FILM_PATTERN.test(stem)
    if (!episodeMatch || isFilm) continue
    const rangeText = episodeMatch[3] ?? ''
    const lastChapterText = pattern === JOINED_CHAPTER_PATTERN ? rangeText.slice(-2) : rangeText
    const episodes = expandRange(Number(episodeMatch[2]), lastChapterText)
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
  // Cameras name their recordings by the date alone.
  const [, nameBeforeDate = '', ...compactDate] = COMPACT_DATE_PATTERN.exec(stem) ?? []
  if (nameBeforeDate !== '' && isSeriesName(trimSeparators(nameBeforeDate)))
    return { season: season ?? 0, episodes: [], airDate: compactDate.join('-'), textBefore: nameBeforeDate }
  const [dashText, group, name = '', numberAfterDash, fraction, rangeText = ''] =
    NUMBER_AFTER_DASH_PATTERN.exec(stem) ?? []
  const isNumberOfEpisode =
    season !== null || group || isSeriesName(name) || isSeriesName(splitSeason(name).textBefore)
  if (dashText !== undefined && isNumberOfEpisode)
    return {
      season: season ?? 1,
      // A recap such as "13.5" is not an episode of the series.
      episodes: fraction === undefined ? expandRange(Number(numberAfterDash), rangeText) : [],
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
  const [, numberAfterWord, plainNumber, lastNumber] = NUMBER_IN_SEASON_FOLDER_PATTERN.exec(stem) ?? []
  const createNumbers = (episodes: number[]) => ({ season, episodes, mayIncludeSeason: true, textBefore: '' })
  if (numberAfterWord !== undefined) return createNumbers(expandPlainRange(numberAfterWord, lastNumber))
  const afterName = findNumberAfterName(stem, isSeriesName)
  if (afterName) return createNumbers(expandPlainRange(afterName.first, afterName.last))
  // "1-05" is episode 5 of season 1, but "01-02" are two episodes.
  if (plainNumber !== undefined)
    return plainNumber === String(season) && lastNumber?.length === 2
      ? createNumbers([Number(lastNumber)])
      : createNumbers(expandPlainRange(plainNumber, lastNumber))
  const beforeWord = NUMBER_BEFORE_EPISODE_PATTERN.exec(stem)
  if (beforeWord) return createNumbers([Number(beforeWord[2] ?? beforeWord[3])])
  const [, nameBefore, part, romanPart = ''] = PART_OF_SEASON_PATTERN.exec(stem) ?? []
  if (
    nameBefore === undefined ||
    !(trimSeparators(nameBefore) === '' || isSeriesName(trimSeparators(nameBefore)))
  )
    return null
  const episode = part === undefined ? ROMAN_NUMERALS.indexOf(romanPart.toLowerCase()) + 1 : Number(part)
  return episode > 0 ? createNumbers([episode]) : null
}

const trimSeparators = (text: string) => text.replace(/[ ._-]+$/, '')

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
  const seriesName = trimSeparators(nameBefore)
  const isOfSeries = isSeriesName(seriesName) || /^\[(?!\d{4}\])[^\]]+\][ _]*\p{L}/u.test(seriesName)
  // No film title contains the Arabic word for episode. With the English word, "Star Wars Episode 4" is a film and
  // "Show Episode 04" is an episode.
  const isEpisode = arabicWord !== undefined || (isOfSeries && (!longWord || /^0|\d\d/.test(episodeText)))
  if (episodeText !== '' && isEpisode) return createNumbers(episodeText, seriesName)
  const [, shortSeriesName = '', shortNumber = '', rangeText = ''] = SHORT_EPISODE_PATTERN.exec(stem) ?? []
  if (shortNumber !== '')
    return {
      ...createNumbers(shortNumber, shortSeriesName),
      episodes: expandRange(Number(shortNumber), rangeText),
    }
  for (const pattern of [NUMBER_AFTER_GROUP_PATTERN, BRACKETED_NUMBER_PATTERN]) {
    const [, groupSeriesName = '', groupNumber] = pattern.exec(stem) ?? []
    if (groupNumber !== undefined && !PICTURE_HEIGHTS.has(groupNumber))
      return createNumbers(groupNumber, groupSeriesName)
  }
  const [, nameBeforeNumber, numberBeforeWord, cjkNumber] = NUMBER_BEFORE_EPISODE_PATTERN.exec(stem) ?? []
  const nameBeforeWord = trimSeparators(nameBeforeNumber ?? '')
  // A film may have the number of a part in its title, and "2. rész" is Hungarian for both "episode 2" and "part 2".
  const isEpisodeBeforeWord =
    cjkNumber !== undefined ||
    isSeriesName(nameBeforeWord) ||
    !(YEAR_PATTERN.test(stem) || /rész/iu.test(stem))
  if (nameBeforeNumber !== undefined && isEpisodeBeforeWord)
    return createNumbers(numberBeforeWord ?? cjkNumber ?? '', nameBeforeWord)
  const [, partSeriesName = '', part, total] = PART_OF_TOTAL_PATTERN.exec(stem) ?? []
  const isPartOfTotal = Number(total) >= MIN_TOTAL_PARTS && Number(part) <= Number(total)
  if (part !== undefined && isPartOfTotal && !YEAR_PATTERN.test(stem))
    return createNumbers(part, partSeriesName)
  if (ZERO_PADDED_PATTERN.test(stem) && isSeriesName('')) return createNumbers(stem, '')
  const afterName = findNumberAfterName(stem, isSeriesName)
  if (!afterName || PICTURE_HEIGHTS.has(afterName.first)) return null
  const isEpisodeNumber =
    Number(afterName.first) >= MIN_NUMBER_WITHOUT_SEASON ||
    (ZERO_PADDED_PATTERN.test(afterName.first) && !YEAR_PATTERN.test(stem))
  return isEpisodeNumber
    ? { ...createNumbers(afterName.first, ''), episodes: expandPlainRange(afterName.first, afterName.last) }
    : null
}

/** Returns the numbers that follow the name of the series: "Show Name 05 - Title", "Show Name 05-06". */
function findNumberAfterName(
  stem: string,
  isSeriesName: (text: string) => boolean,
): { first: string; last: string | undefined } | null {
  const nameStart = /^\[[^\]]+\][ _]*/.exec(stem)?.[0].length ?? 0
  const numberMatch = [...stem.matchAll(PLAIN_NUMBER_PATTERN)].find(
    ({ index }) => index > nameStart && isSeriesName(stem.slice(nameStart, index)),
  )
  return numberMatch ? { first: numberMatch[1] ?? '', last: numberMatch[2] } : null
}

/** Returns the episodes of "03-04". A number that is not one or two higher than the first belongs to the title. */
function expandPlainRange(firstText: string, lastText: string | undefined): number[] {
  const first = Number(firstText)
  const count = lastText === undefined ? 1 : Number(lastText) - first + 1
  return count === 2 || count === 3 ? expandRange(first, String(lastText)) : [first]
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
