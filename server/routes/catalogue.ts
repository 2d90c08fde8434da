import { listNewestLibraryTitles } from '../../src/lib/contract/availability.ts'
import * as calls from '../../src/lib/contract/catalogue.ts'
import { defineRoute, type Route, type RouteOptions } from '../http/route.ts'
import * as actors from '../services/catalogue/actors.ts'
import { listEpisodes, listSeasons } from '../services/catalogue/episodes.ts'
import { listFeaturedTitles, loadDislikedTitleIds } from '../services/catalogue/featured-titles.ts'
import * as publishing from '../services/catalogue/publishing.ts'
import { listTitles } from '../services/catalogue/title-lists.ts'
import { loadTitleDetails, parseId } from '../services/catalogue/titles.ts'
import { loadSourcesVersion } from '../services/library/availability.ts'
import { listNewestTitles } from '../services/library/newest-titles.ts'

/**
 * Lists come from an in-memory index that may lag behind the database for a moment, so they are cached only briefly.
 * Details come from the database, so they are cached for longer (`DETAILS_CACHE_OPTIONS`).
 */
const LIST_CACHE_OPTIONS: RouteOptions = {
  cacheMs: 5_000,
  dependsOnProfile: (query: Record<string, unknown>) =>
    query['admin'] === true ||
    query['published'] !== undefined ||
    query['hide-seen'] === true ||
    query['hide-disliked'] === true,
}
/**
 * The list of featured titles omits titles that a viewer dislikes. The list is cached only if the viewers of the
 * request dislike no title. Otherwise, other callers would get a list without the titles that these viewers dislike.
 */
const FEATURED_CACHE_OPTIONS: RouteOptions = {
  ...LIST_CACHE_OPTIONS,
  isCacheable: async (deps, caller) => (await loadDislikedTitleIds(deps, caller)).size === 0,
}
const DETAILS_CACHE_OPTIONS: RouteOptions = { cacheMs: 600_000 }

export const catalogueRoutes: Route[] = [
  defineRoute(
    calls.listMovies,
    ({ deps, caller, query }) => listTitles(deps, caller, 'movie', query),
    LIST_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listSeries,
    ({ deps, caller, query }) => listTitles(deps, caller, 'tv', query),
    LIST_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listFeaturedMovies,
    ({ deps, caller, query }) => listFeaturedTitles(deps, caller, 'movie', query),
    FEATURED_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listFeaturedSeries,
    ({ deps, caller, query }) => listFeaturedTitles(deps, caller, 'tv', query),
    FEATURED_CACHE_OPTIONS,
  ),
  defineRoute(listNewestLibraryTitles, ({ deps, caller }) => listNewestTitles(deps, caller), {
    ...FEATURED_CACHE_OPTIONS,
    loadVersion: loadSourcesVersion,
  }),
  defineRoute(
    calls.getMovieBySlug,
    ({ deps, caller, params }) => loadTitleDetails(deps, caller, 'movie', params),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.getSeriesBySlug,
    ({ deps, caller, params }) => loadTitleDetails(deps, caller, 'tv', params),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.getMovie,
    ({ deps, caller, params }) => loadTitleDetails(deps, caller, 'movie', { id: parseId(params.id) }),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.getSeries,
    ({ deps, caller, params }) => loadTitleDetails(deps, caller, 'tv', { id: parseId(params.id) }),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listSeasons,
    ({ deps, caller, params }) => listSeasons(deps, caller, parseId(params.id)),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listEpisodes,
    ({ deps, caller, params }) => listEpisodes(deps, caller, parseId(params.id)),
    { ...DETAILS_CACHE_OPTIONS, loadVersion: loadSourcesVersion },
  ),
  defineRoute(
    calls.getActorBySlug,
    ({ deps, caller, params }) => actors.loadActor(deps, caller, params),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.getActor,
    ({ deps, caller, params }) => actors.loadActorWithTitles(deps, caller, parseId(params.id)),
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listActorMovies,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.loadActor(deps, caller, params)
      return actors.listFilmography(deps, caller, Number(id), { type: 'movie', ...query })
    },
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(
    calls.listActorSeries,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.loadActor(deps, caller, params)
      return actors.listFilmography(deps, caller, Number(id), { type: 'tv', ...query })
    },
    DETAILS_CACHE_OPTIONS,
  ),
  defineRoute(calls.publishMovie, ({ deps, caller, params, body, request }) =>
    publishing.changeTitlePublished(
      { deps, caller, request },
      { type: 'movie', id: parseId(params.id) },
      body.published,
    ),
  ),
  defineRoute(calls.publishSeries, ({ deps, caller, params, body, request }) =>
    publishing.changeTitlePublished(
      { deps, caller, request },
      { type: 'tv', id: parseId(params.id) },
      body.published,
    ),
  ),
  defineRoute(calls.deleteMovie, ({ deps, caller, params, request }) =>
    publishing.deleteTitle({ deps, caller, request }, { type: 'movie', id: parseId(params.id) }),
  ),
  defineRoute(calls.deleteSeries, ({ deps, caller, params, request }) =>
    publishing.deleteTitle({ deps, caller, request }, { type: 'tv', id: parseId(params.id) }),
  ),
]
