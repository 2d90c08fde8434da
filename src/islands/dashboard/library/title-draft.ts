/** Unsaved values of the fields of a title, and the changes that they make. */

import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { LOCALES, type Locale } from '../../../lib/i18n/locales.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import { MAX_INT32 } from '../../../lib/rules/title-ranges.ts'
import type { TitleChange } from '../../../lib/stores/admin/titles.ts'

/** TMDB ids are 32-bit integers, as the contract of `updateTitle` demands. */
export const TMDB_ID_RANGE = { min: 1, max: MAX_INT32 }

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

function parseTmdbId(text: string): number | null {
  const tmdbId = parseWholeNumber(text)
  return tmdbId !== null && tmdbId >= TMDB_ID_RANGE.min && tmdbId <= TMDB_ID_RANGE.max ? tmdbId : null
}

/** True when the field for the TMDB id contains a text that is not a TMDB id. */
export const hasInvalidTmdbId = ({ tmdb_id: text = '' }: TitleDraft): boolean =>
  text.trim() !== '' && parseTmdbId(text) === null

/** Returns the TMDB id that a draft sets; null removes the id, undefined leaves it unchanged. */
function readTmdbIdChange(title: AdminTitle, draft: TitleDraft): number | null | undefined {
  if (draft.tmdb_id === undefined || hasInvalidTmdbId(draft)) return undefined
  const tmdbId = parseTmdbId(draft.tmdb_id)
  return tmdbId === title.tmdb_id ? undefined : tmdbId
}

/**
 * Returns the changes that a draft makes; empty if the draft equals the saved title. An invalid TMDB id makes no
 * change, because null would remove the saved one.
 */
export function createTitleChange(title: AdminTitle, draft: TitleDraft): TitleChange {
  const readTextChange = (field: TextDraftField): string | null | undefined => {
    const draftText = draft[field]?.trim()
    return draftText === undefined || draftText === getSavedText(title, field) ? undefined : draftText || null
  }
  const collectTexts = (kind: 'title' | 'overview') =>
    LOCALES.flatMap((locale) => {
      const draftText = readTextChange(`${kind}_${locale}`)
      return draftText === undefined ? [] : [{ lang: locale, text: draftText }]
    })
  const changedTitles = collectTexts('title')
  const changedOverviews = collectTexts('overview')
  const [trailer, imdbId, ageRating] = (['trailer', 'imdb_id', 'rated'] as const).map(readTextChange)
  const tmdbId = readTmdbIdChange(title, draft)
  const haveGenresChanged =
    draft.genres && new Set(draft.genres).symmetricDifference(new Set(title.genres)).size > 0
  return {
    ...(changedTitles.length > 0 && { titles: changedTitles }),
    ...(changedOverviews.length > 0 && { overviews: changedOverviews }),
    ...(trailer !== undefined && { trailer }),
    ...(imdbId !== undefined && { imdb_id: imdbId }),
    ...(tmdbId !== undefined && { tmdb_id: tmdbId }),
    ...(ageRating !== undefined && { rated: ageRating as NonNullable<TitleChange['rated']> | null }),
    ...(haveGenresChanged && draft.genres && { genres: draft.genres }),
  }
}
