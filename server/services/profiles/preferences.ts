/** Validates and converts the preferences of a profile. */
import type { Profile } from '../../../src/lib/contract/profiles.ts'
import { listSelectableGenreIds } from '../../../src/lib/rules/genres.ts'
import type { HomeRowPreference } from '../../../src/lib/rules/home-rows.ts'
import type { MEDIA_TITLE_LANGUAGES } from '../../../src/lib/rules/title-options.ts'
import { createFieldProblem } from '../../core/problem.ts'
import type { ProfileRow } from '../../queries/profile.ts'

type ContentGenres = { movie: number[]; tv: number[] }
export interface PreferencesChange {
  language?: Profile['preferences']['language'] | undefined
  content_genres?: ContentGenres | undefined
  autoplay_next?: boolean | undefined
  autoplay_previews?: boolean | undefined
  hide_spoilers?: boolean | undefined
  home_rows?: HomeRowPreference[] | undefined
  text_size?: number | undefined
  high_contrast?: boolean | undefined
  less_motion?: boolean | undefined
  captions?: boolean | undefined
  simple_home?: boolean | undefined
  media_title_language?: (typeof MEDIA_TITLE_LANGUAGES)[number] | undefined
}

export function toPreferences(row: ProfileRow): Profile['preferences'] {
  return {
    language: row.language as Profile['preferences']['language'],
    content_genres: listChoosableGenres(JSON.parse(row.content_genres) as ContentGenres, row.kids === 1),
    autoplay_next: row.autoplay_next === 1,
    autoplay_previews: row.autoplay_previews === 1,
    hide_spoilers: row.hide_spoilers === 1,
    home_rows: JSON.parse(row.home_rows) as HomeRowPreference[],
    text_size: row.text_size as Profile['preferences']['text_size'],
    high_contrast: row.high_contrast === 1,
    less_motion: row.less_motion === 1,
    captions: row.captions === 1,
    simple_home: row.simple_home === 1,
    ...(row.media_title_language !== null && {
      media_title_language: row.media_title_language as (typeof MEDIA_TITLE_LANGUAGES)[number],
    }),
  }
}

/**
 * Returns the genres that `assertValidGenres` accepts. A profile that became a kids profile keeps its earlier genres in
 * the database, because it may become an adult profile again. The API does not return the earlier genres meanwhile,
 * because the API would reject these genres when a client sends the preferences back.
 */
function listChoosableGenres(genres: ContentGenres, isKids: boolean): ContentGenres {
  const listGenresOfType = (type: 'movie' | 'tv') => {
    const selectableGenres = listSelectableGenreIds(type, isKids)
    const choosableGenres = genres[type].filter((id) => selectableGenres.includes(id))
    return choosableGenres.length === 1 ? [] : choosableGenres
  }
  return { movie: listGenresOfType('movie'), tv: listGenresOfType('tv') }
}

const BOOLEAN_PREFERENCES = [
  'autoplay_next',
  'autoplay_previews',
  'hide_spoilers',
  'high_contrast',
  'less_motion',
  'captions',
  'simple_home',
] as const

/** Returns the columns to write. Throws 422 for invalid genres, and for a home row that is listed twice. */
export function toPreferenceColumns(preferences: PreferencesChange | undefined, isKids: boolean) {
  if (!preferences) return {}
  if (preferences.content_genres) assertValidGenres(preferences.content_genres, isKids)
  const { home_rows: homeRows } = preferences
  if (homeRows && new Set(homeRows.map((homeRow) => homeRow.row)).size < homeRows.length)
    throw createFieldProblem('preferences.home_rows', 'twice')
  return {
    ...(preferences.language !== undefined && { language: preferences.language }),
    ...(preferences.content_genres !== undefined && {
      content_genres: JSON.stringify(preferences.content_genres),
    }),
    ...(preferences.media_title_language !== undefined && {
      media_title_language: preferences.media_title_language,
    }),
    ...(preferences.text_size !== undefined && { text_size: preferences.text_size }),
    ...(homeRows !== undefined && { home_rows: JSON.stringify(homeRows) }),
    ...Object.fromEntries(
      BOOLEAN_PREFERENCES.flatMap((preferenceName) =>
        preferences[preferenceName] === undefined
          ? []
          : [[preferenceName, preferences[preferenceName] ? 1 : 0]],
      ),
    ),
  }
}

/**
 * Throws 422 for unknown genres, and when exactly one genre of a type is chosen. Kids profiles can choose from fewer
 * genres.
 */
function assertValidGenres(genres: ContentGenres, isKids: boolean): void {
  for (const type of ['movie', 'tv'] as const) {
    const chosenGenres = new Set(genres[type])
    const selectableGenres = listSelectableGenreIds(type, isKids)
    if ([...chosenGenres].some((id) => !selectableGenres.includes(id)))
      throw createFieldProblem(`preferences.content_genres.${type}`, 'unknown_genre')
    if (chosenGenres.size === 1) throw createFieldProblem(`preferences.content_genres.${type}`, 'too_few')
  }
}
