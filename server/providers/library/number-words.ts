/**
 * Words for seasons and episodes, and numbers that are written as words or in Roman numerals in the names of files and
 * folders.
 */

export const SEASON_WORDS = [
  'season|saison|staffel|temporada|temp|stagione|sezonul|sezona|sezóna|sezon|seizoen|series|serie|série|säsong|sæson',
  'sesong|kausi|évad|řada|phần|сезон|σεζόν|κύκλος|musim|シーズン|シリーズ|시즌|सीज़न|ฤดูกาลที่|עונה|(?:ال)?موسم|فصل',
]
  .join('|')
  .normalize('NFC')
/** A season whose number comes before the word: "2nd Season", "1. Sezon", "2ª Temporada", "第2季". */
export const NUMBER_BEFORE_SEASON_PATTERN_SOURCE = String.raw`(?:第[ _]*)?(\d{1,2})(?:st|nd|rd|th|[.aªºo°]|er|re|ère|e|ème)?[ ._-]*(?:${SEASON_WORDS}|季|期)`
/**
 * Words for episodes that titles of movies do not contain. The Arabic word has its own rule and is not in this list.
 */
export const SERIES_EPISODE_WORDS =
  'folge|odcinek|puntata|avsnitt|afsnit|aflevering|jakso|серия|قسمت|tập|ตอนที่|פרק'
/** Words for episodes that the titles of movies also contain, as in "Star Wars Episode 4". */
export const TITLE_EPISODE_WORDS =
  'episode|épisode|episodio|episódio|episodul|epizoda|díl|cap[ií]tulo|эпизод|επεισόδιο|エピソード|एपिसोड'
/** All words for episodes, with abbreviations, plurals, and words such as "chapter" that also denote other things. */
export const EPISODE_WORDS = [
  SERIES_EPISODE_WORDS,
  TITLE_EPISODE_WORDS,
  'episodes|épisodes|ép|ep|odc|bölüm|cap|chapter|(?:ال)?حلق[ةه]',
]
  .join('|')
  .normalize('NFC')
/**
 * The Arabic word for part and the French word for book, which some series use for their seasons. Movies have
 * parts too. So these words denote a season only in the name of a folder, or in the name of a file before an episode
 * number.
 */
export const PART_WORDS = 'الجزء|livre'
/** English words for numbers, in ascending order from one, like the Roman numerals and the Arabic ordinals below. */
export const ENGLISH_NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
export const ROMAN_NUMERALS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
/** Ordinals before the word for season, in ascending order from one: English, French, German and Spanish. */
const LATIN_ORDINALS = [
  'first|premi[èe]re|erste|primera',
  'second|deuxi[èe]me|seconde|zweite|segunda',
  'third|troisi[èe]me|dritte|tercera',
  'fourth|quatri[èe]me|vierte|cuarta',
  'fifth|cinqui[èe]me|fünfte|quinta',
  'sixth|sixi[èe]me|sechste|sexta',
  'seventh|septi[èe]me|siebte|s[ée]ptima',
  'eighth|huiti[èe]me|achte|octava',
  'ninth|neuvi[èe]me|neunte|novena',
  'tenth|dixi[èe]me|zehnte|d[ée]cima',
].map((ordinals) => ordinals.normalize('NFC'))
/** Arabic and Persian ordinals. */
const ARABIC_ORDINALS = [
  '[أا]ول[يى]?|حادي(?:ة)?|یکم',
  'ثاني?[ةه]?|دوم',
  'ثالث[ةه]?|سوم',
  'رابع[ةه]?|چهارم',
  'خامس[ةه]?|پنجم',
  'سادس[ةه]?|ششم',
  'سابع[ةه]?|هفتم',
  'ثامن[ةه]?|هشتم',
  'تاسع[ةه]?|نهم',
  'عاشر[ةه]?|دهم',
]
const NUMBERED_WORDS = `${SEASON_WORDS}|${PART_WORDS}|${EPISODE_WORDS}`
const NUMBERED_WORD_PATTERN = new RegExp(`${NUMBERED_WORDS}|第`, 'iu')
const WORD_BEFORE_NUMBER_PATTERN_SOURCE = `(?<![\\p{L}\\d])(?:${NUMBERED_WORDS})[ ._-]+`
const CHINESE_DIGITS = '一二三四五六七八九'
const CHINESE_NUMBER_PATTERN = new RegExp(
  `(?<=第[ _]*)(?:([${CHINESE_DIGITS}])?(十))?([${CHINESE_DIGITS}])?(?=[ _]*[季期話话集回])`,
  'gu',
)
const LATIN_NUMBER_PATTERN = new RegExp(
  `(?<=${WORD_BEFORE_NUMBER_PATTERN_SOURCE})(?:(${ENGLISH_NUMBERS.join('|')})|(${ROMAN_NUMERALS.join('|')}))(?![\\p{L}\\d])`,
  'giu',
)
const ARABIC_ORDINAL_PATTERN = new RegExp(
  `(?<=${WORD_BEFORE_NUMBER_PATTERN_SOURCE})(?:ال)?(?:${ARABIC_ORDINALS.map((ordinal) => `(${ordinal})`).join('|')})([ ._-]+عشر[ةه]?)?(?![\\p{L}\\d])`,
  'gu',
)
const LATIN_ORDINAL_PATTERN = new RegExp(
  `(?<![\\p{L}\\d])(?:${LATIN_ORDINALS.map((ordinals) => `(${ordinals})`).join('|')})(?=[ ._-]+(?:${SEASON_WORDS})(?!\\p{L}))`,
  'giu',
)

/**
 * Replaces numbers that are written in letters: "Season One", "Second Season", "Livre I", "الموسم الأول" and "第一季"
 * become "Season 1", "2 Season" and so on.
 */
export function replaceNumberWords(name: string): string {
  const composedName = name.normalize('NFC')
  if (!NUMBERED_WORD_PATTERN.test(composedName)) return composedName
  return composedName
    .replace(LATIN_NUMBER_PATTERN, (number: string, englishWord?: string) => {
      const numbers = englishWord === undefined ? ROMAN_NUMERALS : ENGLISH_NUMBERS
      return String(numbers.indexOf(number.toLowerCase()) + 1)
    })
    .replace(LATIN_ORDINAL_PATTERN, (_, ...groups: (string | undefined)[]) =>
      String(groups.findIndex((group) => group !== undefined) + 1),
    )
    .replace(CHINESE_NUMBER_PATTERN, (number: string, tens?: string, ten?: string, unit?: string) => {
      if (number === '') return ''
      const getDigit = (digit: string | undefined) => (digit ? CHINESE_DIGITS.indexOf(digit) + 1 : 0)
      return String((ten ? (getDigit(tens) || 1) * 10 : 0) + getDigit(unit))
    })
    .replace(ARABIC_ORDINAL_PATTERN, (_, ...groups: (string | undefined)[]) => {
      const unit = groups.findIndex((group) => group !== undefined) + 1
      return String(groups[ARABIC_ORDINALS.length] === undefined ? unit : unit + 10)
    })
}
