/** What movies and series have alike in TMDB's answers. */
import type { Certificate } from '../../../src/lib/rules/kids-safety.ts'
import { slugify } from '../../../src/lib/rules/slug.ts'
import type { PersonRecord, TitleRecord } from '../../queries/title-record.ts'
import { fitsLetters, isHome, knownLanguage, languageOfCountry } from '../languages.ts'
import { NameList } from '../name-list.ts'
import type { Movie, Series } from './shapes.ts'

type Media = Movie | Series
const MOST_CAST = 30
const MOST_CREW = 20
const HOME = 3
const ELSEWHERE = 2
const ORIGINAL = 1
/** More than any other English name. */
const SHOWN = 99

const JOBS = [
  'Creator',
  'Director',
  'Writer',
  'Screenplay',
  'Story',
  'Novel',
  'Producer',
  'Original Music Composer',
  'Director of Photography',
  'Editor',
  'Production Design',
]

/** Undefined for what TMDB leaves empty, and for what is no date. */
export function dateOf(text: string | null | undefined): string | undefined {
  return text && /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) ? text : undefined
}

export function imdbIdOf(text: string | null | undefined): string | undefined {
  return text && /^(tt|nm)\d{7,10}$/.test(text) ? text : undefined
}

/** Not empty, and no longer than the catalogue takes. */
export function textOf(text: string | null | undefined, most: number): string | undefined {
  return text?.trim().slice(0, most).trim() || undefined
}

interface Names {
  /** In English, or as it is called where it has no English name. */
  shown: string
  original: string
  language: string | undefined
  alternatives: { iso_3166_1?: string | null | undefined; title?: string | null | undefined }[]
}

/** TMDB translates into a language once or for several countries; its home country's name is the one. */
export function namesOf(
  media: Media,
  { shown, original, language, alternatives }: Names,
): TitleRecord['names'] {
  const names = new NameList()
  names.offer('en', shown, SHOWN)
  for (const { iso_639_1, iso_3166_1, data } of media.translations?.translations ?? []) {
    const lang = knownLanguage(iso_639_1)
    if (lang) names.offer(lang, data?.title || data?.name || '', isHome(iso_3166_1 ?? '') ? HOME : ELSEWHERE)
  }
  const own = language ?? 'und'
  if (original !== shown) names.offer(own, original, names.has(own) || !language ? 0 : ORIGINAL, 'original')
  for (const { iso_3166_1, title } of alternatives) {
    const lang = languageOfCountry(iso_3166_1 ?? '')
    if (lang && title && fitsLetters(title, lang)) names.offer(lang, title, 0)
  }
  return names.list()
}

export function textsOf(media: Media): TitleRecord['texts'] {
  const texts = new Map<string, { text: TitleRecord['texts'][number]; worth: number }>()
  const offer = (lang: string, data: { overview?: unknown; tagline?: unknown }, worth: number) => {
    const overview = typeof data.overview === 'string' ? textOf(data.overview, 20_000) : undefined
    const tagline = typeof data.tagline === 'string' ? textOf(data.tagline, 1_000) : undefined
    if ((!overview && !tagline) || worth <= (texts.get(lang)?.worth ?? 0)) return
    texts.set(lang, { text: { lang, ...(overview && { overview }), ...(tagline && { tagline }) }, worth })
  }
  offer('en', media, SHOWN)
  for (const { iso_639_1, iso_3166_1, data } of media.translations?.translations ?? []) {
    const lang = knownLanguage(iso_639_1)
    if (lang && data) offer(lang, data, isHome(iso_3166_1 ?? '') ? HOME : ELSEWHERE)
  }
  return [...texts.values()].map(({ text }) => text)
}

interface Somebody {
  id: number
  name?: string | null | undefined
  profile_path?: string | null | undefined
}
export function creditedOf({ id, name, profile_path }: Somebody): PersonRecord | undefined {
  const words = textOf(name, 200)
  return words ? { name: words, tmdb_id: id, ...(profile_path && { profile_path }) } : undefined
}

export function castOf(credits: Media['credits']): TitleRecord['cast'] {
  const members = [...(credits?.cast ?? [])].sort((a, b) => (a.order ?? 999) - (b.order ?? 999))
  return members.slice(0, MOST_CAST).flatMap((member) => {
    const person = creditedOf(member)
    const roles = member.character ? [member.character] : (member.roles ?? []).map((role) => role.character)
    const character = textOf([...new Set(roles.filter(Boolean))].join(' / '), 500)
    return person ? [{ person, ...(character && { character }) }] : []
  })
}

export function crewOf(credits: Media['credits'], creators: Somebody[] = []): TitleRecord['crew'] {
  const all = [
    ...creators.map((one) => ({ ...one, work: ['Creator'] })),
    ...(credits?.crew ?? []).map((one) => ({
      ...one,
      work: one.job ? [one.job] : (one.jobs ?? []).flatMap(({ job }) => job ?? []),
    })),
  ]
  return all
    .flatMap((one) => one.work.map((job) => ({ person: creditedOf(one), job })))
    .flatMap(({ person, job }) => (person && JOBS.includes(job) ? [{ person, job }] : []))
    .sort((a, b) => JOBS.indexOf(a.job) - JOBS.indexOf(b.job))
    .slice(0, MOST_CREW)
}

/** Genres that the specification does not list become keywords. */
export function genresOf(media: Media, known: readonly number[]): { genres: number[]; others: string[] } {
  const all = media.genres ?? []
  return {
    genres: all.filter(({ id }) => known.includes(id)).map(({ id }) => id),
    others: all.filter(({ id }) => !known.includes(id)).flatMap(({ name }) => name?.toLowerCase() ?? []),
  }
}

export const keywordsOf = (list: { name?: string | null | undefined }[] | null | undefined): string[] =>
  (list ?? []).flatMap(({ name }) => textOf(name, 100)?.toLowerCase() ?? [])

type Images = {
  file_path?: string | null | undefined
  iso_639_1?: string | null | undefined
  vote_average?: number | null | undefined
}[]

/** The source's choice, else the best voted English one or one without words. */
export function imageOf(
  chosen: string | null | undefined,
  images: Images | null | undefined,
): string | undefined {
  if (chosen) return chosen
  const plain = (images ?? []).filter(({ iso_639_1 }) => !iso_639_1 || iso_639_1 === 'en')
  return plain.sort((a, b) => (b.vote_average ?? 0) - (a.vote_average ?? 0))[0]?.file_path ?? undefined
}

export function trailerOf(media: Media): string | undefined {
  const trailers = (media.videos?.results ?? []).filter(
    ({ site, type, key }) => site === 'YouTube' && type === 'Trailer' && /^[\w-]{5,20}$/.test(key ?? ''),
  )
  const best = trailers.find(({ official }) => official) ?? trailers[0]
  return best ? `https://www.youtube.com/watch?v=${best.key}` : undefined
}

export const certificate = (
  country: string | null | undefined,
  text: string | null | undefined,
): Certificate[] => (country && text ? [{ country, certificate: text }] : [])

/** TMDB's ids of the specification's networks; others go by their name. */
const NETWORKS: Record<number, string> = {
  213: 'netflix',
  49: 'hbo',
  3186: 'hbo',
  2552: 'apple-tv',
  1024: 'prime-video',
  453: 'hulu',
  2739: 'disney',
  54: 'disney',
  4330: 'paramount',
  71: 'the-cw',
  88: 'fx',
}
export const networksOf = (media: Series): string[] => [
  ...new Set(
    (media.networks ?? []).flatMap(
      ({ id, name }) => NETWORKS[id] ?? (name ? slugify(name).slice(0, 80) : []),
    ),
  ),
]
