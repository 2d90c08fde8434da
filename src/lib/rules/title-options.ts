/** Values for the filters of title lists and for settings: age ratings, votes, networks and languages. */
import { LOCALES, type Locale } from '../i18n/locales.ts'

export const MOVIE_AGE_RATINGS = ['All', '8+', '13+', '17+', '18+'] as const
export const TV_AGE_RATINGS = ['All', '7+', '8+', '14+', '17+'] as const
export const AGE_RATINGS = ['All', '7+', '8+', '13+', '14+', '17+', '18+'] as const
export const MINIMUM_VOTE_CHOICES = [1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000] as const
export const NETWORKS = [
  'netflix',
  'hbo',
  'apple-tv',
  'prime-video',
  'hulu',
  'disney',
  'paramount',
  'the-cw',
  'fx',
] as const
const FILTER_LANGUAGES = [
  'en',
  'fr',
  'es',
  'it',
  'de',
  'ko',
  'tr',
  'pt',
  'hi',
  'fi',
  'nl',
  'ru',
  'cs',
  'is',
  'ja',
  'zh',
  'sv',
  'ro',
  'id',
  'ar',
  'th',
  'no',
  'hu',
  'el',
  'pl',
  'da',
] as const
/** ISO 639-1 codes of title languages: the languages of the language filter and of the interface. */
export const TITLE_LANGUAGES: readonly ((typeof FILTER_LANGUAGES)[number] | Locale)[] = [
  ...new Set([...FILTER_LANGUAGES, ...LOCALES]),
]

/** Value in place of a language code: each title is named in its original language. */
export const ORIGINAL_LANGUAGE = 'original'
/**
 * Language in which a profile reads the names of titles: its own language, the original language of each title, or a
 * fixed one.
 */
export const MEDIA_TITLE_LANGUAGES = ['profile', ORIGINAL_LANGUAGE, ...LOCALES] as const
