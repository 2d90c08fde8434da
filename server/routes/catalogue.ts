import * as calls from '../../src/lib/contract/catalogue.ts'
import { type Route, type RouteOptions, route } from '../http/route.ts'
import * as actors from '../services/actors.ts'
import * as catalogue from '../services/catalogue.ts'
import * as publishing from '../services/publishing.ts'

const { idOf } = catalogue
/**
 * Lists come from an in-memory index that may lag behind the database for a moment, so they are cached only briefly.
 * Details come from the database.
 */
const LIST_CACHE: RouteOptions = {
  sharedMs: 5_000,
  personal: (query: Record<string, unknown>) =>
    query['admin'] === true || query['published'] !== undefined || query['hide-seen'] === true,
}
const DETAILS_CACHE: RouteOptions = { sharedMs: 600_000 }

export const catalogueRoutes: Route[] = [
  route(
    calls.listMovies,
    ({ deps, caller, query }) => catalogue.list(deps, caller, 'movie', query),
    LIST_CACHE,
  ),
  route(calls.listSeries, ({ deps, caller, query }) => catalogue.list(deps, caller, 'tv', query), LIST_CACHE),
  route(
    calls.featuredMovies,
    ({ deps, caller, query }) => catalogue.featured(deps, caller, 'movie', query),
    LIST_CACHE,
  ),
  route(
    calls.featuredSeries,
    ({ deps, caller, query }) => catalogue.featured(deps, caller, 'tv', query),
    LIST_CACHE,
  ),
  route(
    calls.movieBySlug,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'movie', params),
    DETAILS_CACHE,
  ),
  route(
    calls.seriesBySlug,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'tv', params),
    DETAILS_CACHE,
  ),
  route(
    calls.getMovie,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'movie', { id: idOf(params.id) }),
    DETAILS_CACHE,
  ),
  route(
    calls.getSeries,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'tv', { id: idOf(params.id) }),
    DETAILS_CACHE,
  ),
  route(
    calls.listSeasons,
    ({ deps, caller, params }) => catalogue.seasons(deps, caller, idOf(params.id)),
    DETAILS_CACHE,
  ),
  route(
    calls.listEpisodes,
    ({ deps, caller, params }) => catalogue.episodes(deps, caller, idOf(params.id)),
    DETAILS_CACHE,
  ),
  route(calls.actorBySlug, ({ deps, caller, params }) => actors.actor(deps, caller, params), DETAILS_CACHE),
  route(
    calls.getActor,
    ({ deps, caller, params }) => actors.actorWithTitles(deps, caller, idOf(params.id)),
    DETAILS_CACHE,
  ),
  route(
    calls.actorMovies,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.actor(deps, caller, params)
      return actors.filmography(deps, caller, Number(id), { type: 'movie', ...query })
    },
    DETAILS_CACHE,
  ),
  route(
    calls.actorSeries,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.actor(deps, caller, params)
      return actors.filmography(deps, caller, Number(id), { type: 'tv', ...query })
    },
    DETAILS_CACHE,
  ),
  route(calls.publishMovie, ({ deps, caller, params, body, request }) =>
    publishing.publish({ deps, caller, request }, { type: 'movie', id: idOf(params.id) }, body.published),
  ),
  route(calls.publishSeries, ({ deps, caller, params, body, request }) =>
    publishing.publish({ deps, caller, request }, { type: 'tv', id: idOf(params.id) }, body.published),
  ),
  route(calls.deleteMovie, ({ deps, caller, params, request }) =>
    publishing.remove({ deps, caller, request }, { type: 'movie', id: idOf(params.id) }),
  ),
  route(calls.deleteSeries, ({ deps, caller, params, request }) =>
    publishing.remove({ deps, caller, request }, { type: 'tv', id: idOf(params.id) }),
  ),
]
