/** Reads a title, its year and its ids from a file or folder name, as Plex, Jellyfin and Kodi write them. */

export interface TitleIds {
  imdb?: string
  tmdb?: number
}
/** One way to understand a name; `title` is as written, still to be folded. */
export interface Reading {
  title: string
  year: number | null
}
export interface NamedTitle {
  ids: TitleIds
  /** Likeliest first; never empty, but titles may be empty strings. */
  readings: Reading[]
}

const ID = /[[{(]\s*(imdb|imdbid|tmdb|tmdbid|tvdb|tvdbid|anidb|anidbid)\s*[-=: ]\s*([a-z]{0,2}\d+)\s*[\]})]/gi
const BARE_IMDB = /(?<![a-z\d])[[{(]?(tt\d{7,10})[\]})]?(?![a-z\d])/i
const EDITION = /\{edition-[^}]*\}/gi
/** Words that only releases use: what follows is no title any more. */
const RELEASE =
  /(?<![\p{L}\d])(?:2160p|1440p|1080[pi]|720p|576[pi]|480[pi]|4k|uhd|blu-?ray|bd-?rip|br-?rip|bdremux|remux|web-?dl|web-?rip|hdtv|hd-?rip|dvd-?rip|dvdscr|[xh] ?26[45]|hevc|xvid|divx|av1|aac|e?ac3|dts|ddp?5 1|truehd|10 ?bit|hdr10)(?![\p{L}\d])/iu
const YEAR_IN_BRACKETS = /[([](1[89]\d\d|20\d\d)(?:\s*[-–]\s*(?:\d{4})?\s*)?[)\]]/g
const BARE_YEAR = /(?<![\p{L}\d])(1[89]\d\d|20\d\d)(?![\p{L}\d])/gu
const ARTICLE_LAST = /^(.+), (the|a|an|le|la|les|l'|der|die|das|el|los|las|il|lo)$/i

/** Takes the ids out of a name. Ids of other data bases are dropped. */
export function takeIds(name: string): { ids: TitleIds; rest: string } {
  const ids: TitleIds = {}
  let rest = name.replace(ID, (_, kind: string, value: string) => {
    const base = kind.toLowerCase()
    if (base.startsWith('imdb') && /^tt\d{7,10}$/i.test(value)) ids.imdb ??= value.toLowerCase()
    if (base.startsWith('tmdb') && /^\d{1,9}$/.test(value)) ids.tmdb ??= Number(value)
    return ' '
  })
  const bare = BARE_IMDB.exec(rest)
  if (bare) {
    ids.imdb ??= bare[1]?.toLowerCase() ?? ''
    rest = rest.replace(bare[0], ' ')
  }
  return { ids, rest: rest.replace(EDITION, ' ') }
}

/** `name` without its extension. */
export function readTitleName(name: string): NamedTitle {
  const { ids, rest } = takeIds(name)
  return { ids, readings: readings(rest) }
}

function readings(name: string): Reading[] {
  const text = name.replace(/[._\s]+/g, ' ').trim()
  const bracketed = [...text.matchAll(YEAR_IN_BRACKETS)].filter((one) => one.index > 0).at(-1)
  if (bracketed) return spellings(text.slice(0, bracketed.index), Number(bracketed[1]))
  const end = endOfTitle(text)
  const whole = text.slice(0, end)
  const year = lastYear(text)
  if (year) {
    const before = spellings(text.slice(0, year.index), year.value)
    // "Wonder Woman 1984": what looks like the year may be the title's own.
    return year.index + 4 >= whole.trimEnd().length ? [...before, ...spellings(whole, null)] : before
  }
  const found = spellings(whole, null)
  const version = whole.lastIndexOf(' - ')
  return version > 0 ? [...found, ...spellings(whole.slice(0, version), null)] : found
}

function endOfTitle(text: string): number {
  const found = RELEASE.exec(text)
  return found && found.index > 0 ? found.index : text.length
}

/** A year that does not open the name, and is no year to come ("Blade Runner 2049"). */
function lastYear(text: string): { index: number; value: number } | null {
  const latest = new Date().getFullYear() + 2
  const found = [...text.matchAll(BARE_YEAR)]
    .filter((one) => one.index > 0 && Number(one[1]) <= latest)
    .at(-1)
  return found ? { index: found.index, value: Number(found[1]) } : null
}

function spellings(raw: string, year: number | null): Reading[] {
  const title = tidy(raw)
  const turned = ARTICLE_LAST.exec(title)
  return turned
    ? [
        { title: `${turned[2]} ${turned[1]}`, year },
        { title, year },
      ]
    : [{ title, year }]
}

/** Without release groups in brackets and loose punctuation at either end. A title that is one bracket stays. */
function tidy(raw: string): string {
  const bare = raw.replace(/\[[^\]]*\]|\{[^}]*\}/g, ' ')
  const text = bare.trim() === '' ? raw : bare
  return text
    .replace(/[\s\-–—([{,:;]+$/u, '')
    .replace(/^[\s\-–—,:;]+/u, '')
    .replace(/\s+/g, ' ')
}
