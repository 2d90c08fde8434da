/** Reads of titles: rows of the home page, details, episodes and actors. */
import { atom, computed } from 'nanostores'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommend.ts'
import { KIDS_GENRES } from '../rules/genres.ts'
import { LIMITS } from '../rules/limits.ts'
import { $profile } from './profile.ts'
import { read } from './query.ts'

/** Additional parameters for kids profiles (Spec §7). */
const kidsParams = (kids: boolean) => (kids ? { kids, 'include-genres': [...KIDS_GENRES] } : {})

export const $featuredMovies = read(
  catalogue.featuredMovies,
  computed(
    $profile,
    (profile) => profile && { query: { limit: LIMITS.featured, ...kidsParams(profile.kids) } },
  ),
)
export const $featuredSeries = read(
  catalogue.featuredSeries,
  computed(
    $profile,
    (profile) => profile && { query: { limit: LIMITS.featured, ...kidsParams(profile.kids) } },
  ),
)
export const $topPicks = read(
  recommend.topPicks,
  computed(
    $profile,
    (profile) =>
      profile && {
        params: { id: profile.profile_id },
        query: {
          limit: LIMITS.topPicksHome,
          rating: 5,
          ...(profile.kids && { kids: true, 'genres-included': [...KIDS_GENRES] }),
        },
      },
  ),
)
export const $topGenres = read(
  recommend.topGenres,
  computed(
    $profile,
    (profile) =>
      profile && {
        params: { id: profile.profile_id },
        query: { 'result-limit': LIMITS.topGenresResults, rating: 5, ...(profile.kids && { kids: true }) },
      },
  ),
)
export const $continueWatching = read(
  progressCalls.continueWatching,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id } }),
)

/** The card opened last. The detail page displays its data until the details are loaded. */
export const $opened = atom<MediaCard | null>(null)

/** The title of the current detail page. */
export const $place = atom<{ type: 'movie' | 'tv'; slug: string } | null>(null)
const bySlug = (type: 'movie' | 'tv') =>
  computed([$place, $profile], (currentTitle, profile) =>
    profile && currentTitle?.type === type ? { params: { slug: currentTitle.slug } } : null,
  )
export const $movie = read(catalogue.movieBySlug, bySlug('movie'))
export const $show = read(catalogue.seriesBySlug, bySlug('tv'))
export const $details = computed([$place, $movie, $show], (currentTitle, movie, show) =>
  currentTitle?.type === 'tv' ? show : movie,
)

const $detailId = computed($details, ({ data }) => data?.id ?? null)
export const $similar = read(
  recommend.similar,
  computed([$detailId, $profile], (id, profile) =>
    id === null || !profile
      ? null
      : { params: { id }, query: { limit: LIMITS.similarDetail, ...(profile.kids && { kids: true }) } },
  ),
)
export const $history = read(
  progressCalls.getHistory,
  computed([$details, $profile], ({ data }, profile) =>
    data && profile ? { params: { id: profile.profile_id, type: data.type, mediaId: data.id } } : null,
  ),
)
export const $seasonId = atom<string | null>(null)
export const $episodes = read(
  catalogue.listEpisodes,
  computed([$seasonId, $profile], (id, profile) => (id && profile ? { params: { id } } : null)),
)

export const $actorSlug = atom<string | null>(null)
const $actorParams = computed([$actorSlug, $profile], (slug, profile) =>
  slug && profile ? { params: { slug } } : null,
)
export const $actor = read(catalogue.actorBySlug, $actorParams)
export const $actorMovies = read(catalogue.actorMovies, $actorParams)
export const $actorSeries = read(catalogue.actorSeries, $actorParams)
