import { describe, expect, it } from 'vitest'
import { createTitleChange, hasInvalidTmdbId } from '../../src/islands/dashboard/library/title-draft.ts'
import type { AdminTitle } from '../../src/lib/contract/admin-titles.ts'

const TITLE: AdminTitle = {
  id: '1',
  type: 'movie',
  slug: 'night-harbour',
  title: 'Night Harbour',
  original_title: 'Night Harbour',
  year: 2024,
  imdb_id: 'tt0000101',
  tmdb_id: 603,
  titles: [{ lang: 'en', text: 'Night Harbour' }],
  overviews: [],
  genres: [18],
  rated: 'PG-13',
  trailer: null,
  poster_path: null,
  published: true,
  blocked: false,
  safe_for_kids: false,
  parental_guide: [],
  edited: [],
  can_refresh: false,
  source: 'tmdb',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  restorable_until: null,
}

describe('a draft of a title', () => {
  it.each([
    ['604', { tmdb_id: 604 }],
    [' ٦٠٤ ', { tmdb_id: 604 }],
    ['۶۰۴', { tmdb_id: 604 }],
    ['603', {}],
    ['٦٠٣', {}],
    ['', { tmdb_id: null }],
    [' ', { tmdb_id: null }],
  ])('with the typed TMDB id %j makes the change %j', (typedId, titleChange) => {
    expect(createTitleChange(TITLE, { tmdb_id: typedId })).toEqual(titleChange)
    expect(hasInvalidTmdbId({ tmdb_id: typedId })).toBe(false)
  })

  it.each(['603a', 'https://www.themoviedb.org/movie/604', '6.4', '0', '2147483648'])(
    'with the invalid TMDB id %j makes no change',
    (typedId) => {
      expect(hasInvalidTmdbId({ tmdb_id: typedId })).toBe(true)
      expect(createTitleChange(TITLE, { tmdb_id: typedId })).toEqual({})
    },
  )

  it('makes a change that contains only the fields that differ from the saved title, with null for an emptied field', () => {
    expect(createTitleChange(TITLE, {})).toEqual({})
    expect(hasInvalidTmdbId({})).toBe(false)
    expect(
      createTitleChange(TITLE, { title_en: ' Night Harbour ', title_fr: 'Le port', imdb_id: '', rated: 'R' }),
    ).toEqual({ titles: [{ lang: 'fr', text: 'Le port' }], imdb_id: null, rated: 'R' })
  })
})
