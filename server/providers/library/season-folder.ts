/** Reads season numbers from folder names. */
import {
  NUMBER_BEFORE_SEASON_PATTERN_SOURCE,
  PART_WORDS,
  replaceNumberWords,
  SEASON_WORDS,
} from './number-words.ts'

const NUMBER_BEFORE_SEASON_PATTERN = new RegExp(`^${NUMBER_BEFORE_SEASON_PATTERN_SOURCE}$`, 'iu')
const SEASON_FOLDER_PATTERN = new RegExp(
  `^[([]?(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])`,
  'iu',
)
/** A season folder that also names the series: "Show Name S01 1080p", "Show - Season 2", "Show (Season 2)". */
const NAMED_SEASON_PATTERN = new RegExp(
  `^(.+?)[ ._-]+[([]?(?:(?:${SEASON_WORDS})[ ._-]*|s)(\\d{1,4})(?![\\p{L}\\d])(?![ ._-]*e\\d)`,
  'iu',
)
/** Like NAMED_SEASON_PATTERN, with the number before the word: "Show Name 2nd Season", "Show Name (1 сезон)". */
const NAMED_NUMBER_PATTERN = new RegExp(
  `^(.+?)[ ._-]+\\(?${NUMBER_BEFORE_SEASON_PATTERN_SOURCE}(?![\\p{L}\\d])`,
  'iu',
)
const PART_FOLDER_PATTERN = new RegExp(`^(?:${PART_WORDS})[ ._-]*(\\d{1,2})$`, 'iu')
/** A folder of specials, which may state years: "Specials", "Season Specials", "Specials (2010-2017)". */
const SPECIALS_FOLDER_PATTERN =
  /^(?:(?:season |series )?specials?(?: episodes)?|(?:[ée]pisodes )?spéciaux|(?:episodios )?especiales|(?:episodi )?speciali|spezial|sonderfolgen|specialer|спецвыпуски|extras? specials|hors[ ._-]séries?|(?:ال)?حلقات (?:ال)?خاصة|特典|特別編|スペシャル|스페셜|番外)(?: [([]\d{4}(?: ?[-–] ?(?:\d{4})?)?[)\]])?$/iu
/**
 * The name of a series and a word for specials: "Show Name Specials". The caller checks that the parent folder has the
 * same name.
 */
const SPECIALS_AT_END_PATTERN = /^(.*?\p{L}.*?)[ ._-]+(?:specials?|spéciaux|especiales|ovas?|oads?)$/iu

/** Returns the name before the word for specials in "Show Name Specials"; null for other names. */
export const getNameBeforeSpecials = (folderName: string): string | null =>
  SPECIALS_AT_END_PATTERN.exec(folderName.normalize('NFC'))?.[1] ?? null

/** Returns the season number of a folder name without the series name, such as "Season 2"; null for other names. */
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
  const name = replaceNumberWords(folderName)
  const folderMatch = NAMED_SEASON_PATTERN.exec(name) ?? NAMED_NUMBER_PATTERN.exec(name)
  return folderMatch ? { seriesName: folderMatch[1] ?? '', season: Number(folderMatch[2]) } : null
}
