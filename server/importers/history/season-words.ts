/**
 * The words of season, part and episode in the languages Netflix exports. They stand before the number (`Saison 5`), or
 * after it (`1. évad`, `2. Sezon`). A season word is certain; a part or a book may as well be the name of a film.
 */
const words = (text: string) => text.trim().split(/\s*,\s*/)

const SEASON =
  words(`season, saison, temporada, stagione, seizoen, staffel, sezon, sezonul, sezonas, sezona, sezóna,
  säsong, sæson, sesong, kausi, tuotantokausi, évad, hooaeg, þáttaröð, sería, σεζόν, κύκλος, сезон, עונה, الموسم, موسم, musim,
  mùa, ฤดูกาล, ซีซั่น, ซีซัน, ปี, シーズン, 시즌, सीज़न, सीजन, series, serie, série, séria, řada, denboraldia, tymor`)
const PART =
  words(`part, partie, parte, teil, deel, część, del, osa, rész, část, časť, diel, partea, dio, μέρος, часть,
  частина, חלק, الجزء, جزء, bagian, phần, ภาค, パート, 파트, kısım, volume, volumen, band, vol., book, livre, libro, buch, boek,
  księga, kniha, bok, bog, kitap, livro, collection, colección, coleção, collezione, collectie, kolekcja, sammlung, tom, tome`)
const EPISODE =
  words(`episode, épisode, episodio, episódio, aflevering, folge, odcinek, avsnitt, afsnit, jakso, epizoda,
  epizód, epizóda, episoade, episod, επεισόδιο, серия, эпизод, серія, פרק, الحلقة, حلقة, bölüm, tập, ตอน, ตอนที่, エピソード,
  에피소드, एपिसोड, chapter, chapitre, capítulo, capitolo, kapitel, hoofdstuk, rozdział, kapitola, luku, fejezet, глава`)
const LIMITED =
  words(`limited series, mini-series, miniseries, mini series, mini-série, minisérie, miniserie, mini serie,
  minissérie, miniserial, minisarja, minisorozat, miniszéria, mini dizi, serial limitat, série limitée, serie limitada,
  série limitada, begränsad serie, мини-сериал, минисериал, μίνι σειρά, מיני-סדרה, مسلسل قصير, リミテッドシリーズ, 리미티드 시리즈, 限定剧, 迷你剧,
  serial terbatas`)

const either = (list: readonly string[]) =>
  `(?:${list.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`
/** Digits with a letter (`1B`), or Roman numerals. */
const NUMBER = '(\\d{1,4}|[ivx]{1,5})[a-d]?'
const numbered = (list: readonly string[]) =>
  new RegExp(`^(?:${either(list)}\\s*${NUMBER}|${NUMBER}\\s*[.ªºe:]?\\s*${either(list)})$`, 'u')

const IS_SEASON = numbered(SEASON)
const IS_PART = numbered(PART)
const IS_EPISODE = numbered(EPISODE)
const IS_LIMITED = new RegExp(`^${either(LIMITED)}$`, 'u')
/** `Dernière saison`, `The Final Season`: a season without a number. */
const NAMES_SEASON = new RegExp(
  `(?:^|\\s)${either(SEASON.filter((word) => !/^s[eé]r/.test(word)))}(?:$|\\s)`,
  'u',
)
const CJK = /^第\s*(\d+)\s*(季|部|シーズン|期|話|集|회|화)$/u
const EPISODE_SUFFIX = new RegExp(`\\s*\\(${either(EPISODE)}\\s*(\\d{1,5})\\)$`, 'iu')

export interface Label {
  kind: 'season' | 'part' | 'episode'
  number?: number
}

/** What a piece of a Netflix title says about its place, if anything. */
export function labelOf(piece: string): Label | null {
  const text = plain(piece)
  if (IS_LIMITED.test(text)) return { kind: 'season', number: 1 }
  const cjk = CJK.exec(text)
  if (cjk) return { kind: /[話集회화]/u.test(cjk[2]!) ? 'episode' : 'season', number: Number(cjk[1]) }
  for (const [kind, pattern] of [
    ['season', IS_SEASON],
    ['episode', IS_EPISODE],
    ['part', IS_PART],
  ] as const) {
    const match = pattern.exec(text)
    const number = match && numberOf(match[1] ?? match[2] ?? '')
    if (number) return { kind, number }
  }
  return text.split(' ').length <= 4 && NAMES_SEASON.test(text) ? { kind: 'season' } : null
}

/** `... (Épisode 4)` as viewing activities end: the title without it, and the number. */
export function withoutEpisodeSuffix(title: string): { title: string; episode?: number } {
  const match = EPISODE_SUFFIX.exec(title.replace(/\u00a0/g, ' '))
  if (!match) return { title }
  return { title: title.slice(0, match.index).trimEnd(), episode: Number(match[1]) }
}

/** The number of a season that is named like its series: `Stranger Things 3`, `Sword Art Online II`. */
export function numberAfter(show: string, piece: string): number | null {
  const [a, b] = [plain(show), plain(piece)]
  if (!b.startsWith(`${a} `)) return null
  const rest = b.slice(a.length + 1)
  return /^(\d{1,2}|[ivx]{1,5})$/.test(rest) ? numberOf(rest) : null
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10 }
function numberOf(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text)
  const values = [...text].map((sign) => ROMAN[sign] ?? 0)
  const total = values.reduce((sum, value, i) => sum + (value < (values[i + 1] ?? 0) ? -value : value), 0)
  return total > 0 ? total : null
}
