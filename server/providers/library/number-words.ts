/** Words for seasons, and numbers that file and folder names write as words or in Roman numerals. */

export const SEASON_WORDS = [
  'season|saison|staffel|temporada|stagione|sezonul|sezona|sezóna|sezon|seizoen|series|säsong|sæson|sesong|kausi|évad',
  'сезон|σεζόν|musim|シーズン|시즌|الموسم',
].join('|')
/**
 * Seasons of some series are called parts or books, as in Arabic and French. Films have parts, too, so these words
 * denote a season only in the name of a folder, or in the name of a file before an episode number.
 */
export const PART_WORDS = 'الجزء|livre'
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

/**
 * Replaces numbers that are written in letters: "Season One", "Livre I" and "الموسم الأول" become "Season 1" and so on.
 */
export function replaceNumberWords(name: string): string {
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
