/** Converts the parts that the TMDB responses for movies, series and people have in common to fields of records. */

import type { CountryCertificate } from '../../../src/lib/rules/kids-safety.ts'
import { slugify } from '../../../src/lib/rules/slug.ts'
import { MAX_RELEASE_YEAR, MIN_RELEASE_YEAR } from '../../../src/lib/rules/title-ranges.ts'
import type { PersonRecord, TitleRecord } from '../../queries/title-record.ts'
import { getLanguageOfCountry, hasScriptOfLanguage, isHomeCountry, toProductLanguage } from '../languages.ts'
import { TitleNameList } from '../name-list.ts'
import { hasVisibleCharacter } from '../visible-text.ts'
import type { TmdbMovie, TmdbSeries } from './response-schemas.ts'

type TmdbMedia = TmdbMovie | TmdbSeries
const MAX_GENRE_LENGTH = 100
const MAX_CAST_MEMBERS = 30
const MAX_CREW_MEMBERS = 20
/** Priorities of names and texts: the translation for the home country of a language is preferred. */
const HOME_COUNTRY_PRIORITY = 3
const OTHER_COUNTRY_PRIORITY = 2
const ORIGINAL_NAME_PRIORITY = 1
/** Priority of the display title, which is above the priority of every other English name. */
const DISPLAY_TITLE_PRIORITY = 99

/** Imported crew jobs, in display order. */
const CREW_JOBS = [
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

/** Returns the date, if it has the form `YYYY-MM-DD` and such a day exists; otherwise undefined. */
export function validateDate(dateText: string | null | undefined): string | undefined {
  if (!dateText || !/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(dateText)) return undefined
  return new Date(dateText).getUTCDate() === Number(dateText.slice(8)) ? dateText : undefined
}

/** Returns a date of release, if it is valid and in a possible year; otherwise undefined. */
export function validateReleaseDate(dateText: string | null | undefined): string | undefined {
  const year = Number(dateText?.slice(0, 4))
  return year >= MIN_RELEASE_YEAR && year <= MAX_RELEASE_YEAR ? validateDate(dateText) : undefined
}

/** Returns the IMDb id, if it is valid; otherwise undefined. */
export function validateImdbId(idText: string | null | undefined): string | undefined {
  return idText && /^(tt|nm)\d{7,10}$/.test(idText) ? idText : undefined
}

/** Returns the trimmed text with at most `maxLength` characters; undefined if nothing of it is visible. */
export function trimText(text: string | null | undefined, maxLength: number): string | undefined {
  if (!text || !hasVisibleCharacter(text)) return undefined
  const trimmedText = text.trim()
  if (trimmedText.length <= maxLength) return trimmedText
  // A character of two UTF-16 code units at the limit is left out as a whole.
  return (
    trimmedText
      .slice(0, maxLength)
      .replace(/[\ud800-\udbff]$/, '')
      .trim() || undefined
  )
}

interface TmdbTitleNames {
  /** The English name, or the original name if there is no English name. */
  displayTitle: string
  originalTitle: string
  language: string | undefined
  alternatives: { iso_3166_1?: string | null | undefined; title?: string | null | undefined }[]
}

/**
 * Selects the names of a title. In English, `displayTitle` is displayed. Of several names in another language, the one
 * from the home country of the language is displayed.
 */
export function selectTmdbNames(
  media: TmdbMedia,
  { displayTitle, originalTitle, language, alternatives }: TmdbTitleNames,
): TitleRecord['names'] {
  const nameList = new TitleNameList()
  nameList.add('en', displayTitle, DISPLAY_TITLE_PRIORITY)
  for (const { iso_639_1, iso_3166_1, data } of media.translations?.translations ?? []) {
    const lang = toProductLanguage(iso_639_1)
    if (lang)
      nameList.add(
        lang,
        data?.title || data?.name || '',
        isHomeCountry(iso_3166_1 ?? '') ? HOME_COUNTRY_PRIORITY : OTHER_COUNTRY_PRIORITY,
      )
  }
  const originalLanguage = language ?? 'und'
  if (originalTitle !== displayTitle)
    nameList.add(
      originalLanguage,
      originalTitle,
      nameList.hasDisplayName(originalLanguage) || !language ? 0 : ORIGINAL_NAME_PRIORITY,
      'original',
    )
  for (const { iso_3166_1, title } of alternatives) {
    const lang = getLanguageOfCountry(iso_3166_1 ?? '')
    if (lang && title && hasScriptOfLanguage(title, lang)) nameList.add(lang, title, 0)
  }
  return nameList.toNames()
}

/**
 * Selects the overview and tagline in each language. In English, selects the overview and tagline at the top level of
 * the response. Of several translations into another language, selects the one for the home country of the language.
 */
export function selectTmdbTexts(media: TmdbMedia): TitleRecord['texts'] {
  const textsByLanguage = new Map<string, { text: TitleRecord['texts'][number]; priority: number }>()
  const addText = (
    lang: string,
    translation: { overview?: unknown; tagline?: unknown },
    priority: number,
  ) => {
    const overview =
      typeof translation.overview === 'string' ? trimText(translation.overview, 20_000) : undefined
    const tagline = typeof translation.tagline === 'string' ? trimText(translation.tagline, 1_000) : undefined
    if ((!overview && !tagline) || priority <= (textsByLanguage.get(lang)?.priority ?? 0)) return
    textsByLanguage.set(lang, {
      text: { lang, ...(overview && { overview }), ...(tagline && { tagline }) },
      priority,
    })
  }
  addText('en', media, DISPLAY_TITLE_PRIORITY)
  for (const { iso_639_1, iso_3166_1, data } of media.translations?.translations ?? []) {
    const lang = toProductLanguage(iso_639_1)
    if (lang && data)
      addText(lang, data, isHomeCountry(iso_3166_1 ?? '') ? HOME_COUNTRY_PRIORITY : OTHER_COUNTRY_PRIORITY)
  }
  return [...textsByLanguage.values()].map(({ text }) => text)
}

interface TmdbCreditedPerson {
  id: number
  name?: string | null | undefined
  profile_path?: string | null | undefined
}
export function toCreditedPerson({ id, name, profile_path }: TmdbCreditedPerson): PersonRecord | undefined {
  const trimmedName = trimText(name, 200)
  return trimmedName ? { name: trimmedName, tmdb_id: id, ...(profile_path && { profile_path }) } : undefined
}

export function toTmdbCast(credits: TmdbMedia['credits']): TitleRecord['cast'] {
  const castMembers = [...(credits?.cast ?? [])].sort((a, b) => (a.order ?? 999) - (b.order ?? 999))
  return castMembers.slice(0, MAX_CAST_MEMBERS).flatMap((member) => {
    const person = toCreditedPerson(member)
    const roles = member.character ? [member.character] : (member.roles ?? []).map((role) => role.character)
    const character = trimText([...new Set(roles.filter(Boolean))].join(' / '), 500)
    return person ? [{ person, ...(character && { character }) }] : []
  })
}

export function toTmdbCrew(
  credits: TmdbMedia['credits'],
  creators: TmdbCreditedPerson[] = [],
): TitleRecord['crew'] {
  const crewMembers = [
    ...creators.map((creator) => ({ ...creator, allJobs: ['Creator'] })),
    ...(credits?.crew ?? []).map((member) => ({
      ...member,
      allJobs: member.job ? [member.job] : (member.jobs ?? []).flatMap(({ job }) => job ?? []),
    })),
  ]
  return crewMembers
    .flatMap((member) => member.allJobs.map((job) => ({ person: toCreditedPerson(member), job })))
    .flatMap(({ person, job }) => (person && CREW_JOBS.includes(job) ? [{ person, job }] : []))
    .sort((a, b) => CREW_JOBS.indexOf(a.job) - CREW_JOBS.indexOf(b.job))
    .slice(0, MAX_CREW_MEMBERS)
}

/**
 * Splits the genres into ids of the specification (`supportedGenres`) and the names of all other genres, which become
 * keywords.
 */
export function splitTmdbGenres(
  media: TmdbMedia,
  supportedGenres: readonly number[],
): { genres: number[]; otherGenreNames: string[] } {
  const genres = media.genres ?? []
  return {
    genres: genres.filter(({ id }) => supportedGenres.includes(id)).map(({ id }) => id),
    otherGenreNames: genres
      .filter(({ id }) => !supportedGenres.includes(id))
      .flatMap(({ name }) => trimText(name, MAX_GENRE_LENGTH)?.toLowerCase() ?? []),
  }
}

export const toKeywords = (keywords: { name?: string | null | undefined }[] | null | undefined): string[] =>
  (keywords ?? []).flatMap(({ name }) => trimText(name, 100)?.toLowerCase() ?? [])

type TmdbImages = {
  file_path?: string | null | undefined
  iso_639_1?: string | null | undefined
  vote_average?: number | null | undefined
}[]

/**
 * Returns the path of the image that TMDB chose. If TMDB chose none, returns the best rated image that is in English or
 * has no text.
 */
export function selectImagePath(
  chosenPath: string | null | undefined,
  images: TmdbImages | null | undefined,
): string | undefined {
  if (chosenPath) return chosenPath
  const candidateImages = (images ?? []).filter(({ iso_639_1 }) => !iso_639_1 || iso_639_1 === 'en')
  return (
    candidateImages.sort((a, b) => (b.vote_average ?? 0) - (a.vote_average ?? 0))[0]?.file_path ?? undefined
  )
}

export function selectTrailerUrl(media: TmdbMedia): string | undefined {
  const trailers = (media.videos?.results ?? []).filter(
    ({ site, type, key }) => site === 'YouTube' && type === 'Trailer' && /^[\w-]{5,20}$/.test(key ?? ''),
  )
  const bestTrailer = trailers.find(({ official }) => official) ?? trailers[0]
  return bestTrailer ? `https://www.youtube.com/watch?v=${bestTrailer.key}` : undefined
}

/** Returns the countries of origin; if there are none, the countries that produced the title. */
export function selectCountries(media: TmdbMedia): string[] {
  const originCountries = (media.origin_country ?? []).flatMap((code) => code ?? [])
  const producingCountries = (media.production_countries ?? []).flatMap(({ iso_3166_1 }) => iso_3166_1 ?? [])
  return [...new Set(originCountries.length > 0 ? originCountries : producingCountries)].filter((code) =>
    /^[A-Z]{2}$/.test(code),
  )
}

export const toCertificates = (
  country: string | null | undefined,
  certificateText: string | null | undefined,
): CountryCertificate[] => (country && certificateText ? [{ country, certificate: certificateText }] : [])

/** The specification's networks by TMDB id. Other networks get a slug of their name. */
const NETWORK_BY_TMDB_ID: Record<number, string> = {
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
export const mapNetworks = (media: TmdbSeries): string[] => [
  ...new Set(
    (media.networks ?? []).flatMap(
      ({ id, name }) => NETWORK_BY_TMDB_ID[id] ?? (name ? slugify(name).slice(0, 80) : []),
    ),
  ),
]
