import * as calls from '../../src/lib/contract/catalogue.ts'
import { type Route, route } from '../http/route.ts'
import * as actors from '../services/actors.ts'
import * as catalogue from '../services/catalogue.ts'
import * as publishing from '../services/publishing.ts'

const { idOf } = catalogue
/** Lists are answered from an index in the process that may be a moment behind; the rest comes from the database itself. */
const LIST = {
  sharedMs: 5_000,
  personal: (query: Record<string, unknown>) =>
    query['admin'] === true || query['published'] !== undefined || query['hide-seen'] === true,
}
const RECORD = { sharedMs: 600_000 }

export const catalogueRoutes: Route[] = [
  route(calls.listMovies, ({ deps, caller, query }) => catalogue.list(deps, caller, 'movie', query), LIST),
  route(calls.listSeries, ({ deps, caller, query }) => catalogue.list(deps, caller, 'tv', query), LIST),
  route(
    calls.featuredMovies,
    ({ deps, caller, query }) => catalogue.featured(deps, caller, 'movie', query),
    LIST,
  ),
  route(
    calls.featuredSeries,
    ({ deps, caller, query }) => catalogue.featured(deps, caller, 'tv', query),
    LIST,
  ),
  route(
    calls.movieBySlug,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'movie', params),
    RECORD,
  ),
  route(
    calls.seriesBySlug,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'tv', params),
    RECORD,
  ),
  route(
    calls.getMovie,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'movie', { id: idOf(params.id) }),
    RECORD,
  ),
  route(
    calls.getSeries,
    ({ deps, caller, params }) => catalogue.details(deps, caller, 'tv', { id: idOf(params.id) }),
    RECORD,
  ),
  route(
    calls.listSeasons,
    ({ deps, caller, params }) => catalogue.seasons(deps, caller, idOf(params.id)),
    RECORD,
  ),
  route(
    calls.listEpisodes,
    ({ deps, caller, params }) => catalogue.episodes(deps, caller, idOf(params.id)),
    RECORD,
  ),
  route(calls.actorBySlug, ({ deps, caller, params }) => actors.actor(deps, caller, params), RECORD),
  route(
    calls.getActor,
    ({ deps, caller, params }) => actors.actorWithTitles(deps, caller, idOf(params.id)),
    RECORD,
  ),
  route(
    calls.actorMovies,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.actor(deps, caller, params)
      return actors.filmography(deps, caller, Number(id), { type: 'movie', ...query })
    },
    RECORD,
  ),
  route(
    calls.actorSeries,
    async ({ deps, caller, params, query }) => {
      const { id } = await actors.actor(deps, caller, params)
      return actors.filmography(deps, caller, Number(id), { type: 'tv', ...query })
    },
    RECORD,
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
