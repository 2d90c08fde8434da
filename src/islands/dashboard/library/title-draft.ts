/** Unsaved values of the fields of a title, and the changes that they make. */
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { LOCALES, type Locale } from '../../../lib/i18n/locales.ts'
import type { TitleChange } from '../../../lib/stores/admin/titles.ts'

export type TextDraftField =
  | `title_${Locale}`
  | `overview_${Locale}`
  | 'trailer'
  | 'imdb_id'
  | 'tmdb_id'
  | 'rated'
export type TitleDraft = Partial<Record<TextDraftField, string>> & { genres?: number[] }

/** Returns the saved value of a field as text; empty if there is none. */
export function getSavedText(title: AdminTitle, field: TextDraftField): string {
  if (field === 'trailer' || field === 'imdb_id' || field === 'rated') return title[field] ?? ''
  if (field === 'tmdb_id') return String(title.tmdb_id ?? '')
  const savedTexts = field.startsWith('title_') ? title.titles : title.overviews
  return savedTexts.find(({ lang: textLocale }) => field.endsWith(`_${textLocale}`))?.text ?? ''
}

/** Returns the changes that a draft makes; empty if the draft equals the saved title. */
export function createTitleChange(title: AdminTitle, draft: TitleDraft): TitleChange {
  const readChange = (field: TextDraftField): string | null | undefined => {
    const changedText = draft[field]?.trim()
    return changedText === undefined || changedText === getSavedText(title, field)
      ? undefined
      : changedText || null
  }
  const collectTexts = (kind: 'title' | 'overview') =>
    LOCALES.flatMap((locale) => {
      const changedText = readChange(`${kind}_${locale}`)
      return changedText === undefined ? [] : [{ lang: locale, text: changedText }]
    })
  const titles = collectTexts('title')
  const overviews = collectTexts('overview')
  const [trailer, imdbId, tmdbId, ageRating] = (['trailer', 'imdb_id', 'tmdb_id', 'rated'] as const).map(
    readChange,
  )
  const hasOtherGenres =
    draft.genres && new Set(draft.genres).symmetricDifference(new Set(title.genres)).size > 0
  return {
    ...(titles.length > 0 && { titles }),
    ...(overviews.length > 0 && { overviews }),
    ...(trailer !== undefined && { trailer }),
    ...(imdbId !== undefined && { imdb_id: imdbId }),
    ...(tmdbId !== undefined && { tmdb_id: tmdbId === null ? null : Number(tmdbId) }),
    ...(ageRating !== undefined && { rated: ageRating as NonNullable<TitleChange['rated']> | null }),
    ...(hasOtherGenres && draft.genres && { genres: draft.genres }),
  }
}
