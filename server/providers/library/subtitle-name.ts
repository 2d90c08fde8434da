/** Language and kind of a sidecar subtitle, from its name. */

export interface SubtitleName {
  /** ISO 639-1 where there is one, with a region where the name has it (`pt-BR`); `und` when the name says nothing. */
  lang: string
  forced: boolean
  /** For the deaf and hard of hearing. */
  sdh: boolean
}

/** Every language with a two-letter code that viewers meet; names and three-letter codes are derived or listed. */
const TWO =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu'.split(
    ' ',
  )
const THREE: Record<string, string> = Object.fromEntries(
  'ara:ar bul:bg ben:bn cat:ca ces:cs cze:cs dan:da deu:de ger:de ell:el gre:el eng:en spa:es est:et eus:eu baq:eu fas:fa per:fa fin:fi fra:fr fre:fr gle:ga glg:gl heb:he hin:hi hrv:hr hun:hu hye:hy arm:hy ind:id isl:is ice:is ita:it jpn:ja kat:ka geo:ka kor:ko lit:lt lav:lv mkd:mk mac:mk mal:ml msa:ms may:ms nob:nb nld:nl dut:nl nno:nn nor:no pol:pl por:pt ron:ro rum:ro rus:ru slk:sk slo:sk slv:sl sqi:sq alb:sq srp:sr scc:sr swe:sv tam:ta tel:te tha:th tgl:tl tur:tr ukr:uk urd:ur vie:vi zho:zh chi:zh pob:pt-BR'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
const OTHER_NAMES: Record<string, string> = {
  brazilian: 'pt-BR',
  'portuguese br': 'pt-BR',
  latino: 'es-419',
  'latin american': 'es-419',
  castilian: 'es',
  castellano: 'es',
  farsi: 'fa',
  mandarin: 'zh',
  simplified: 'zh-Hans',
  traditional: 'zh-Hant',
  chs: 'zh-Hans',
  cht: 'zh-Hant',
  flemish: 'nl',
  vf: 'fr',
  vff: 'fr',
  vostfr: 'fr',
}
const SDH = new Set(['sdh', 'cc', 'hi', 'hearing impaired'])
const SKIPPED = new Set([
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

const display = (lang: string) => new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' })
const english = display('en')
const NAMES = new Map<string, string>()
for (const code of TWO) {
  for (const name of [english.of(code), display(code).of(code)]) if (name) NAMES.set(plain(name), code)
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_.\s-]+/g, ' ')
    .trim()
}

/** `rest` is what the subtitle's name has beyond the film's: `en.forced`, `2_English`, `pt-BR`, or nothing. */
export function readSubtitleName(rest: string): SubtitleName {
  const words = plain(rest.replace(/[()[\]]/g, ' '))
    .split(' ')
    .filter((word) => word && !/^\d+$/.test(word))
  const found: SubtitleName = { lang: 'und', forced: false, sdh: false }
  for (const [at, word] of words.entries()) {
    const pair = `${word} ${words[at + 1] ?? ''}`.trim()
    const lang = region(word, words[at + 1]) ?? OTHER_NAMES[pair] ?? NAMES.get(pair) ?? languageOf(word)
    if (word === 'forced' || word === 'foreign') found.forced = true
    else if (lang && found.lang === 'und') found.lang = lang
    else if (SDH.has(word)) found.sdh = true
  }
  return found
}

function region(word: string, next: string | undefined): string | null {
  if (!TWO.includes(word) || !next) return null
  if (/^(?:br|pt|us|gb|ca|mx|es|cn|tw|hk|419)$/.test(next) && next !== word)
    return `${word}-${next.toUpperCase()}`
  if (word === 'zh' && (next === 'hans' || next === 'hant')) return next === 'hans' ? 'zh-Hans' : 'zh-Hant'
  return null
}

function languageOf(word: string): string | null {
  if (SKIPPED.has(word)) return null
  return TWO.includes(word) ? word : (THREE[word] ?? OTHER_NAMES[word] ?? NAMES.get(word) ?? null)
}

/** The language's own name for itself, with what kind of subtitle it is. */
export function subtitleLabel({ lang, forced, sdh }: SubtitleName): string {
  const own = lang === 'und' ? undefined : display(lang).of(lang)
  const name = own ? own.charAt(0).toLocaleUpperCase(lang) + own.slice(1) : '—'
  return `${name}${sdh ? ' (SDH)' : ''}${forced ? ' (forced)' : ''}`
}
