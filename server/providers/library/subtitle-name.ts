/** Names of subtitle files and their folders. Reads language and kind of a subtitle from its file name. */
import { removeCombiningMarks } from '../../../src/lib/rules/fold-letters.ts'

const SUBTITLE_FOLDER_PATTERN =
  /^(?:subs?|subtitles?|sous-?titres?|untertitel|subt[ií]tulos|sottotitoli|legendas|(?:ال)?ترجم(?:ة|ات))$/i
/** True for the name of a folder of subtitles. macOS writes an accent as a separate character, which NFC joins. */
export const isSubtitleFolder = (folderName: string) =>
  SUBTITLE_FOLDER_PATTERN.test(folderName.normalize('NFC'))

export interface SubtitleName {
  /**
   * ISO 639-1 code where one exists, with the region that the name states (`pt-BR`); `und` when the name states no
   * language.
   */
  lang: string
  forced: boolean
  /** True for subtitles for the deaf and hard of hearing. */
  sdh: boolean
}

/** Supported language codes. Language names are derived from them; three-letter codes are listed below. */
const LANGUAGE_CODES =
  'af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu'.split(
    ' ',
  )
const CODES_BY_THREE_LETTER_CODE: ReadonlyMap<string, string> = new Map(
  'afr:af alb:sq amh:am ara:ar arm:hy aze:az baq:eu bel:be ben:bn bos:bs bul:bg bur:my cat:ca ces:cs chi:zh cym:cy cze:cs dan:da deu:de dut:nl ell:el eng:en epo:eo est:et eus:eu fas:fa fin:fi fra:fr fre:fr geo:ka ger:de gle:ga glg:gl gre:el guj:gu heb:he hin:hi hrv:hr hun:hu hye:hy ice:is ind:id isl:is ita:it jpn:ja kan:kn kat:ka kaz:kk khm:km kir:ky kor:ko lao:lo lav:lv lit:lt mac:mk mal:ml mar:mr may:ms mkd:mk mon:mn msa:ms mya:my nep:ne nld:nl nno:nn nob:nb nor:no pan:pa per:fa pob:pt-BR pol:pl por:pt ron:ro rum:ro rus:ru scc:sr sin:si slk:sk slo:sk slv:sl spa:es sqi:sq srp:sr swa:sw swe:sv tam:ta tel:te tgl:tl tha:th tur:tr ukr:uk urd:ur uzb:uz vie:vi wel:cy zho:zh zul:zu'
    .split(' ')
    .map((codePair) => codePair.split(':') as [string, string]),
)
const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    brazilian: 'pt-BR',
    'portuguese br': 'pt-BR',
    'portuguese brazil': 'pt-BR',
    'portuguese brazilian': 'pt-BR',
    'brazilian portuguese': 'pt-BR',
    br: 'pt-BR',
    pb: 'pt-BR',
    latino: 'es-419',
    latam: 'es-419',
    'latin american': 'es-419',
    'spanish latin': 'es-419',
    'spanish latino': 'es-419',
    castilian: 'es',
    castellano: 'es',
    farsi: 'fa',
    mandarin: 'zh',
    simplified: 'zh-Hans',
    traditional: 'zh-Hant',
    'chinese simplified': 'zh-Hans',
    'simplified chinese': 'zh-Hans',
    'chinese traditional': 'zh-Hant',
    'traditional chinese': 'zh-Hant',
    chs: 'zh-Hans',
    cht: 'zh-Hant',
    sc: 'zh-Hans',
    tc: 'zh-Hant',
    简体: 'zh-Hans',
    简体中文: 'zh-Hans',
    简中: 'zh-Hans',
    繁體: 'zh-Hant',
    繁体: 'zh-Hant',
    繁體中文: 'zh-Hant',
    繁中: 'zh-Hant',
    flemish: 'nl',
    vf: 'fr',
    vff: 'fr',
    vfi: 'fr',
    vf2: 'fr',
    truefrench: 'fr',
    vostfr: 'fr',
    vfq: 'fr-CA',
    'espanol latinoamerica': 'es-419',
    'spanish latinoamerica': 'es-419',
    'spa la': 'es-419',
    'es la': 'es-419',
    iw: 'he',
    'canadian fre': 'fr-CA',
    'canadian fra': 'fr-CA',
    'canadian fr': 'fr-CA',
    'french canadian': 'fr-CA',
    'french canada': 'fr-CA',
    'canadian french': 'fr-CA',
    عربي: 'ar',
    // Codes of countries that are often written in place of the code of the language.
    cn: 'zh',
    cz: 'cs',
    dk: 'da',
    gr: 'el',
    jp: 'ja',
    kr: 'ko',
    ua: 'uk',
  }),
)
const FORCED_WORDS = new Set(['forced', 'foreign', 'forzado', 'forzados', 'forcado', 'forcados'])
/** Words that mark subtitles for the deaf and hard of hearing. "sme" is French. */
const SDH_WORDS = new Set(['sdh', 'cc', 'hi', 'hearing impaired', 'sme'])
/**
 * Matches words after the name of a language, such as "(SDH)" in "English (SDH)" and "(Brazil)" in "Portuguese
 * (Brazil)".
 */
const DESCRIPTION_AFTER_LANGUAGE_PATTERN =
  /^[([]?(?:forced|forcée?s?|sdh|cc|hi|sme|br|brazil(?:ian)?|latin(?: america(?:n)?)?|latino|canad(?:a|ian)|simplified|traditional)[)\]]?$/i
/** Words before the name or the code of a language: "Brazilian.por", "Latin American.spa", "Forced.eng". */
const DESCRIPTION_BEFORE_LANGUAGE_PATTERN =
  /^(?:forced|sdh|hi|cc|brazilian|canadian|european|latin|american|latino|simplified|traditional)$/i
const NON_LANGUAGE_WORDS = new Set([
  'default',
  'full',
  'sub',
  'subs',
  'subtitle',
  'subtitles',
  'utf8',
  'utf 8',
  'foreign',
])

const createLanguageNames = (lang: string) =>
  new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' })
const englishNames = createLanguageNames('en')
const CODES_BY_NAME = new Map<string, string>()
for (const code of LANGUAGE_CODES) {
  for (const name of [englishNames.of(code), createLanguageNames(code).of(code)])
    if (name) CODES_BY_NAME.set(normaliseName(name), code)
}
/** Adds the names of languages in Arabic, German, Spanish and French: "الفرنسية", "Englisch", "inglés", "anglais". */
for (const namesOfLanguages of ['ar', 'de', 'es', 'fr'].map(createLanguageNames))
  for (const code of LANGUAGE_CODES) {
    const name = normaliseName(namesOfLanguages.of(code) ?? '')
    if (name !== '' && !CODES_BY_NAME.has(name)) CODES_BY_NAME.set(name, code)
  }

function normaliseName(text: string): string {
  return removeCombiningMarks(text)
    .toLowerCase()
    .replace(/[_.,&+\s-]+/g, ' ')
    .trim()
}

/**
 * Returns the words at the end of a subtitle name that may state a language: the last word, or the last two words. Two
 * words are returned if the last word is an addition such as "(SDH)", or if both words name one language, such as
 * "Latin American". Descriptions before a language, as in "Brazilian.por" and "Forced.eng", are returned, too. Used for
 * a name that does not match the video. Only the end of such a name may state a language: "This Is It" is neither
 * Icelandic nor Italian.
 */
export function getLanguageWords(stem: string): string {
  const words = stem.match(/\([^)]*\)|\[[^\]]*\]|[^._ ]+/g) ?? []
  const [wordBefore = '', lastWord = ''] = words.slice(-2)
  const hasTwoLanguageWords =
    DESCRIPTION_AFTER_LANGUAGE_PATTERN.test(words.at(-1) ?? '') ||
    LANGUAGE_ALIASES.has(normaliseName(`${wordBefore} ${lastWord}`))
  const languageStartIndex = words.length - (hasTwoLanguageWords ? 2 : 1)
  const descriptionStartIndex =
    words
      .slice(0, languageStartIndex)
      .findLastIndex((word) => !DESCRIPTION_BEFORE_LANGUAGE_PATTERN.test(word)) + 1
  const hasLanguage = parseSubtitleName(words.slice(languageStartIndex).join('.')).lang !== 'und'
  return words.slice(hasLanguage ? descriptionStartIndex : languageStartIndex).join('.')
}

/**
 * Parses a subtitle name. `remainingName` is the part after the video name: `en.forced`, `2_English`,
 * `pt-BR`, or empty.
 */
export function parseSubtitleName(remainingName: string): SubtitleName {
  // The French `forcé` is recognised only with its accent, because `force` is also a word of English titles: "Brute
  // Force".
  const nameWithForced = remainingName.normalize('NFC').replace(/forcée?s?(?!\p{L})/giu, 'forced')
  const words = normaliseName(nameWithForced.replace(/[()[\]]/g, ' '))
    .split(' ')
    .filter(
      (word, index, allWords) =>
        word && (!/^\d+$/.test(word) || isLatinAmericaCode(word, allWords[index - 1])),
    )
  const subtitle: SubtitleName = { lang: 'und', forced: false, sdh: false }
  for (const [index, word] of words.entries()) {
    const wordPair = `${word} ${words[index + 1] ?? ''}`.trim()
    const lang =
      parseRegion(word, words[index + 1]) ??
      LANGUAGE_ALIASES.get(wordPair) ??
      CODES_BY_NAME.get(wordPair) ??
      parseLanguage(word)
    if (FORCED_WORDS.has(word)) subtitle.forced = true
    else if (lang && subtitle.lang === 'und') subtitle.lang = lang
    // "hi" is the code of Hindi, but before another language it means "hearing impaired": "hi.en".
    else if (lang && subtitle.lang === 'hi' && words.includes('hi') && lang !== 'hi') {
      subtitle.lang = lang
      subtitle.sdh = true
    } else if (SDH_WORDS.has(word)) subtitle.sdh = true
  }
  return subtitle
}

/**
 * True if a text consists of a language and at most two other words that describe a subtitle: "English", "forced fr".
 * False for the name of an episode such as "The French Letter".
 */
export function isSubtitleDescription(text: string): boolean {
  const words = text.split(/[\s._()[\]-]+/).filter((word) => word !== '')
  const parsedFirstWord = parseSubtitleName(words[0] ?? '')
  return (
    words.length <= 3 &&
    (parsedFirstWord.lang !== 'und' || parsedFirstWord.forced || parsedFirstWord.sdh) &&
    parseSubtitleName(text).lang !== 'und'
  )
}

/**
 * True for 419, the code of the region Latin America, after the code of Spanish. Other numbers count tracks or files.
 */
const isLatinAmericaCode = (word: string, previousWord: string | undefined) =>
  word === '419' && previousWord === 'es'

function parseRegion(word: string, nextWord: string | undefined): string | null {
  if (!LANGUAGE_CODES.includes(word) || !nextWord) return null
  if (/^(?:br|pt|us|gb|ca|mx|es|cn|tw|hk|419)$/.test(nextWord) && nextWord !== word)
    return `${word}-${nextWord.toUpperCase()}`
  if (word === 'zh' && (nextWord === 'hans' || nextWord === 'hant'))
    return nextWord === 'hans' ? 'zh-Hans' : 'zh-Hant'
  return null
}

function parseLanguage(word: string): string | null {
  if (NON_LANGUAGE_WORDS.has(word)) return null
  return LANGUAGE_CODES.includes(word)
    ? word
    : (CODES_BY_THREE_LETTER_CODE.get(word) ?? LANGUAGE_ALIASES.get(word) ?? CODES_BY_NAME.get(word) ?? null)
}

/**
 * Returns the code of a language that a resolver names, such as `eng`, `en` or `English`; null when it is not known.
 */
export const parseSubtitleLanguage = (name: string) =>
  parseLanguage(removeCombiningMarks(name.trim().toLowerCase()))

/**
 * Returns the language that a whole word in the title of a track names, such as "English 5.1". Returns `und` if there
 * is none. A word in Latin letters must have at least four letters: "Do it" is not Italian.
 */
export function parseTitleLanguage(title: string): string {
  const words = removeCombiningMarks(title)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
  return (
    words
      .map((word) => (word.length > 3 || /[^a-z]/.test(word) ? parseLanguage(word) : null))
      .find((lang) => lang !== null) ?? 'und'
  )
}

/**
 * Returns a label such as "Français (SDH)": the name of the language in that language, and the kind. An unknown
 * language is written as a dash.
 */
export function formatSubtitleLabel({ lang, forced, sdh }: SubtitleName): string {
  const nativeName = lang === 'und' ? undefined : createLanguageNames(lang).of(lang)
  const name = nativeName ? nativeName.charAt(0).toLocaleUpperCase(lang) + nativeName.slice(1) : '—'
  return `${name}${sdh ? ' (SDH)' : ''}${forced ? ' (forced)' : ''}`
}
