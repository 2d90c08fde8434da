/** Reads of titles: rows of the home page, details, similar titles, progress and episodes. */
import { computed } from 'nanostores'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommendations.ts'
import { KIDS_GENRE_IDS } from '../rules/genres.ts'
import { LIMITS } from '../rules/limits.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

/** Additional parameters for kids profiles. */
const buildKidsParams = (isKidsProfile: boolean) =>
  isKidsProfile ? { kids: true, 'include-genres': [...KIDS_GENRE_IDS] } : {}

export const $featuredMovies = createReadStore(
  catalogue.listFeaturedMovies,
  computed(
    $profile,
    (profile) => profile && { query: { limit: LIMITS.featured, ...buildKidsParams(profile.kids) } },
  ),
)
export const $featuredSeries = createReadStore(
  catalogue.listFeaturedSeries,
  computed(
    $profile,
    (profile) => profile && { query: { limit: LIMITS.featured, ...buildKidsParams(profile.kids) } },
  ),
)
export const $topPicks = createReadStore(
  recommend.listTopPicks,
  computed(
    $profile,
    (profile) =>
      profile && {
        params: { id: profile.profile_id },
        query: {
          limit: LIMITS.topPicksOnHome,
          rating: 5,
          ...(profile.kids && { kids: true, 'genres-included': [...KIDS_GENRE_IDS] }),
        },
      },
  ),
)
export const $continueWatching = createReadStore(
  progressCalls.listContinueWatching,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id } }),
)

/** The card that was opened last. The title page displays the card data until the details are loaded. */
export const $openedCard = perProfile<MediaCard | null>(() => null)

/** The title whose page is open. */
export const $currentTitle = perProfile<{ type: 'movie' | 'tv'; slug: string } | null>(() => null)
const createSlugInput = (type: 'movie' | 'tv') =>
  computed([$currentTitle, $profile], (currentTitle, profile) =>
    profile && currentTitle?.type === type ? { params: { slug: currentTitle.slug } } : null,
  )
export const $movieDetails = createReadStore(catalogue.getMovieBySlug, createSlugInput('movie'))
export const $seriesDetails = createReadStore(catalogue.getSeriesBySlug, createSlugInput('tv'))
export const $titleDetails = computed(
  [$currentTitle, $movieDetails, $seriesDetails],
  (currentTitle, movie, series) => (currentTitle?.type === 'tv' ? series : movie),
)

const $currentTitleId = computed($titleDetails, ({ data }) => data?.id ?? null)
export const $similarTitles = createReadStore(
  recommend.listSimilarTitles,
  computed([$currentTitleId, $profile], (titleId, profile) =>
    titleId === null || !profile
      ? null
      : {
          params: { id: titleId },
          query: { limit: LIMITS.similarTitlesPerRow, ...(profile.kids && { kids: true }) },
        },
  ),
)
export const $titleProgress = createReadStore(
  progressCalls.getTitleProgress,
  computed([$titleDetails, $profile], ({ data }, profile) =>
    data && profile ? { params: { id: profile.profile_id, type: data.type, mediaId: data.id } } : null,
  ),
)
export const $selectedSeasonId = perProfile<string | null>(() => null)
export const $seasonEpisodes = createReadStore(
  catalogue.listEpisodes,
  computed([$selectedSeasonId, $profile], (seasonId, profile) =>
    seasonId && profile ? { params: { id: seasonId } } : null,
  ),
)
