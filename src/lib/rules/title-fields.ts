/**
 * Fields of a title that administrators edit. Each field is edited separately, so that imports still update the other
 * fields.
 */
import { LOCALES, type Locale } from '../i18n/locales.ts'

type TitleTextField = `title_${Locale}` | `overview_${Locale}`
const TITLE_TEXT_FIELDS = LOCALES.flatMap((locale): TitleTextField[] => [
  `title_${locale}`,
  `overview_${locale}`,
])

export const TITLE_FIELDS = [
  ...TITLE_TEXT_FIELDS,
  'poster',
  'trailer',
  'imdb_id',
  'tmdb_id',
  'genres',
  'rated',
  'safe_for_kids',
  'parental_guide',
] as const
export type TitleField = (typeof TITLE_FIELDS)[number]
