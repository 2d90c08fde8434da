/** Reads title, year and ids from a file or folder name in the conventions of Plex, Jellyfin and Kodi. */

export interface TitleIds {
  imdb?: string
  tmdb?: number
}
/** One interpretation of a name. `title` is as written, not folded. */
export interface TitleCandidate {
  title: string
  year: number | null
}
export interface NamedTitle {
  ids: TitleIds
  /** Most likely first; never empty, but the titles may be empty strings. */
  candidates: TitleCandidate[]
}

const TAGGED_ID =
  /[[{(]\s*(imdb|imdbid|tmdb|tmdbid|tvdb|tvdbid|anidb|anidbid)\s*[-=: ]\s*([a-z]{0,2}\d+)\s*[\]})]/gi
const BARE_IMDB = /(?<![a-z\d])[[{(]?(tt\d{7,10})[\]})]?(?![a-z\d])/i
const EDITION_TAG = /\{edition-[^}]*\}/gi
/** Words of release names. The title ends before the first of them. */
const RELEASE_WORD =
  /(?<![\p{L}\d])(?:2160p|1440p|1080[pi]|720p|576[pi]|480[pi]|4k|uhd|blu-?ray|bd-?rip|br-?rip|bdremux|remux|web-?dl|web-?rip|hdtv|hd-?rip|dvd-?rip|dvdscr|[xh] ?26[45]|hevc|xvid|divx|av1|aac|e?ac3|dts|ddp?5 1|truehd|10 ?bit|hdr10)(?![\p{L}\d])/iu
const YEAR_IN_BRACKETS = /[([](1[89]\d\d|20\d\d)(?:\s*[-–]\s*(?:\d{4})?\s*)?[)\]]/g
const BARE_YEAR = /(?<![\p{L}\d])(1[89]\d\d|20\d\d)(?![\p{L}\d])/gu
const ARTICLE_LAST = /^(.+), (the|a|an|le|la|les|l'|der|die|das|el|los|las|il|lo)$/i

/** Separates ids from a name. Ids of other databases than IMDb and TMDB are dropped. */
export function extractTitleIds(name: string): { ids: TitleIds; rest: string } {
  const ids: TitleIds = {}
  let remainingName = name.replace(TAGGED_ID, (_, kind: string, value: string) => {
    const database = kind.toLowerCase()
    if (database.startsWith('imdb') && /^tt\d{7,10}$/i.test(value)) ids.imdb ??= value.toLowerCase()
    if (database.startsWith('tmdb') && /^\d{1,9}$/.test(value)) ids.tmdb ??= Number(value)
    return ' '
  })
  const bareMatch = BARE_IMDB.exec(remainingName)
  if (bareMatch) {
    ids.imdb ??= bareMatch[1]?.toLowerCase() ?? ''
    remainingName = remainingName.replace(bareMatch[0], ' ')
  }
  return { ids, rest: remainingName.replace(EDITION_TAG, ' ') }
}

/** Parses `name`, which has no file extension. */
export function parseTitleName(name: string): NamedTitle {
  const { ids, rest: remainingName } = extractTitleIds(name)
  return { ids, candidates: readName(remainingName) }
}

function readName(name: string): TitleCandidate[] {
  const text = name.replace(/[._\s]+/g, ' ').trim()
  const bracketedYear = [...text.matchAll(YEAR_IN_BRACKETS)].filter((match) => match.index > 0).at(-1)
  if (bracketedYear)
    return createArticleVariants(text.slice(0, bracketedYear.index), Number(bracketedYear[1]))
  const end = findTitleEnd(text)
  const fullTitle = text.slice(0, end)
  const year = findLastYear(text)
  if (year) {
    const candidatesBeforeYear = createArticleVariants(text.slice(0, year.index), year.value)
    // In "Wonder Woman 1984" the apparent year belongs to the title, so offer both interpretations.
    return year.index + 4 >= fullTitle.trimEnd().length
      ? [...candidatesBeforeYear, ...createArticleVariants(fullTitle, null)]
      : candidatesBeforeYear
  }
  const candidates = createArticleVariants(fullTitle, null)
  const versionStart = fullTitle.lastIndexOf(' - ')
  return versionStart > 0
    ? [...candidates, ...createArticleVariants(fullTitle.slice(0, versionStart), null)]
    : candidates
}

function findTitleEnd(text: string): number {
  const match = RELEASE_WORD.exec(text)
  return match && match.index > 0 ? match.index : text.length
}

/** Returns the last year in a name, except at its start, and except years in the future ("Blade Runner 2049"). */
function findLastYear(text: string): { index: number; value: number } | null {
  const latestYear = new Date().getFullYear() + 2
  const match = [...text.matchAll(BARE_YEAR)]
    .filter((match) => match.index > 0 && Number(match[1]) <= latestYear)
    .at(-1)
  return match ? { index: match.index, value: Number(match[1]) } : null
}

function createArticleVariants(rawTitle: string, year: number | null): TitleCandidate[] {
  const title = tidyTitle(rawTitle)
  const articleMatch = ARTICLE_LAST.exec(title)
  return articleMatch
    ? [
        { title: `${articleMatch[2]} ${articleMatch[1]}`, year },
        { title, year },
      ]
    : [{ title, year }]
}

/** Removes bracketed release groups and punctuation at both ends. A title that is entirely in brackets is kept. */
function tidyTitle(rawTitle: string): string {
  const withoutBrackets = rawTitle.replace(/\[[^\]]*\]|\{[^}]*\}/g, ' ')
  const text = withoutBrackets.trim() === '' ? rawTitle : withoutBrackets
  return text
    .replace(/[\s\-–—([{,:;]+$/u, '')
    .replace(/^[\s\-–—,:;]+/u, '')
    .replace(/\s+/g, ' ')
}
