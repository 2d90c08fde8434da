/**
 * Recognises the words for season, part and episode in the languages of Netflix exports. The word is before the number
 * (`Saison 5`) or after it (`1. évad`, `2. Sezon`). A word for a season is unambiguous. `Part 2` or `Book 2` may also
 * be the end of the name of a film.
 */
import { parseRomanNumeral } from '../../../src/lib/rules/fold-title.ts'

const splitWords = (text: string) => text.trim().split(/\s*,\s*/)

const SEASON_WORDS =
  splitWords(`season, saison, temporada, stagione, seizoen, staffel, sezon, sezonul, sezonas, sezona, sezóna,
  säsong, sæson, sesong, kausi, tuotantokausi, évad, hooaeg, þáttaröð, sería, σεζόν, κύκλος, сезон, עונה, الموسم, موسم, musim,
  mùa, ฤดูกาล, ซีซั่น, ซีซัน, ปี, シーズン, 시즌, सीज़न, सीजन, series, serie, série, séria, řada, denboraldia, tymor`)
const PART_WORDS =
  splitWords(`part, partie, parte, teil, deel, część, del, osa, rész, část, časť, diel, partea, dio, μέρος, часть,
  частина, חלק, الجزء, جزء, bagian, phần, ภาค, パート, 파트, kısım, volume, volumen, band, vol., book, livre, libro, buch, boek,
  księga, kniha, bok, bog, kitap, livro, collection, colección, coleção, collezione, collectie, kolekcja, sammlung, tom, tome`)
const EPISODE_WORDS =
  splitWords(`episode, épisode, episodio, episódio, aflevering, folge, odcinek, avsnitt, afsnit, jakso, epizoda,
  epizód, epizóda, episoade, episod, επεισόδιο, серия, эпизод, серія, פרק, الحلقة, حلقة, bölüm, tập, ตอน, ตอนที่, エピソード,
  에피소드, एपिसोड, chapter, chapitre, capítulo, capitolo, kapitel, hoofdstuk, rozdział, kapitola, luku, fejezet, глава`)
const LIMITED_SERIES_WORDS =
  splitWords(`limited series, limitierte serie, beperkte serie, mini-series, miniseries, mini series, mini-série, minisérie, miniserie, mini serie,
  minissérie, miniserial, minisarja, minisorozat, miniszéria, mini dizi, serial limitat, série limitée, serie limitada,
  série limitada, begränsad serie, мини-сериал, минисериал, μίνι σειρά, מיני-סדרה, مسلسل قصير, リミテッドシリーズ, 리미티드 시리즈, 限定剧, 迷你剧,
  serial terbatas`)

const createAlternation = (words: readonly string[]) =>
  `(?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`
/** Digits or Roman numerals, optionally with a letter (`1B`). */
const NUMBER_PATTERN = '(\\d{1,4}|[ivx]{1,5})[a-d]?'
const createNumberedPattern = (words: readonly string[]) =>
  new RegExp(
    `^(?:${createAlternation(words)}\\s*${NUMBER_PATTERN}|${NUMBER_PATTERN}\\s*(?:[:.]|\\.?[ªºaoe])?\\s*${createAlternation(words)})$`,
    'u',
  )

const NUMBERED_SEASON_PATTERN = createNumberedPattern(SEASON_WORDS)
const NUMBERED_PART_PATTERN = createNumberedPattern(PART_WORDS)
const NUMBERED_EPISODE_PATTERN = createNumberedPattern(EPISODE_WORDS)
const LIMITED_SERIES_PATTERN = new RegExp(`^${createAlternation(LIMITED_SERIES_WORDS)}$`, 'u')
/** Matches a season without a number: `Dernière saison`, `The Final Season`. */
const UNNUMBERED_SEASON_PATTERN = new RegExp(
  `(?:^|\\s)${createAlternation(SEASON_WORDS.filter((word) => !/^s[eé]r/.test(word)))}(?:$|\\s)`,
  'u',
)
const CJK_LABEL_PATTERN = /^第\s*(\d+)\s*(季|部|シーズン|期|話|集|회|화)$/u
const EPISODE_SUFFIX_PATTERN = new RegExp(
  `\\s*\\(${createAlternation(EPISODE_WORDS)}\\s*(\\d{1,5})\\)$`,
  'iu',
)

export interface SeasonLabel {
  kind: 'season' | 'part' | 'episode'
  number?: number
}

/** Returns the season, part or episode that a piece of a Netflix title names; null if it names none. */
export function parseSeasonLabel(titlePiece: string): SeasonLabel | null {
  const labelText = normaliseLabel(titlePiece)
  if (LIMITED_SERIES_PATTERN.test(labelText)) return { kind: 'season', number: 1 }
  const cjkMatch = CJK_LABEL_PATTERN.exec(labelText)
  if (cjkMatch)
    return { kind: /[話集회화]/u.test(cjkMatch[2]!) ? 'episode' : 'season', number: Number(cjkMatch[1]) }
  for (const [kind, pattern] of [
    ['season', NUMBERED_SEASON_PATTERN],
    ['episode', NUMBERED_EPISODE_PATTERN],
    ['part', NUMBERED_PART_PATTERN],
  ] as const) {
    const labelMatch = pattern.exec(labelText)
    const labelNumber = labelMatch && parseDecimalOrRoman(labelMatch[1] ?? labelMatch[2] ?? '')
    if (labelNumber) return { kind, number: labelNumber }
  }
  return labelText.split(' ').length <= 4 && UNNUMBERED_SEASON_PATTERN.test(labelText)
    ? { kind: 'season' }
    : null
}

/** Splits the suffix with the episode number, such as `(Épisode 4)`, from a title of `ViewingActivity.csv`. */
export function splitEpisodeSuffix(title: string): { title: string; episode?: number } {
  const composedTitle = title.normalize('NFC')
  const suffixMatch = EPISODE_SUFFIX_PATTERN.exec(composedTitle.replace(/\u00a0/g, ' '))
  if (!suffixMatch) return { title }
  return { title: composedTitle.slice(0, suffixMatch.index).trimEnd(), episode: Number(suffixMatch[1]) }
}

/**
 * Returns the season number of a piece that repeats the name of the series before the number, such as `Stranger Things
 * 3`; null for any other piece.
 */
export function parseNumberAfterSeries(seriesTitle: string, titlePiece: string): number | null {
  const [seriesText, pieceText] = [normaliseLabel(seriesTitle), normaliseLabel(titlePiece)]
  if (!pieceText.startsWith(`${seriesText} `)) return null
  const remainingText = pieceText.slice(seriesText.length + 1)
  return /^(\d{1,2}|[ivx]{1,5})$/.test(remainingText) ? parseDecimalOrRoman(remainingText) : null
}

function normaliseLabel(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
}

/** Parses digits or Roman numerals; null if the text is neither. */
function parseDecimalOrRoman(numberText: string): number | null {
  if (/^\d+$/.test(numberText)) return Number(numberText)
  const total = parseRomanNumeral(numberText)
  return total > 0 ? total : null
}
