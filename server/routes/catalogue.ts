import * as calls from '../../src/lib/contract/catalogue.ts'
import { type Route, route } from '../http/route.ts'
import * as catalogue from '../services/catalogue.ts'
import * as publishing from '../services/publishing.ts'

const { idOf } = catalogue

export const catalogueRoutes: Route[] = [
  route(calls.listMovies, ({ deps, caller, query }) => catalogue.list(deps, caller, 'movie', query)),
  route(calls.listSeries, ({ deps, caller, query }) => catalogue.list(deps, caller, 'tv', query)),
  route(calls.featuredMovies, ({ deps, caller, query }) => catalogue.featured(deps, caller, 'movie', query)),
  route(calls.featuredSeries, ({ deps, caller, query }) => catalogue.featured(deps, caller, 'tv', query)),
  route(calls.movieBySlug, ({ deps, caller, params }) => catalogue.details(deps, caller, 'movie', params)),
  route(calls.seriesBySlug, ({ deps, caller, params }) => catalogue.details(deps, caller, 'tv', params)),
  route(calls.getMovie, ({ deps, caller, params }) =>
    catalogue.details(deps, caller, 'movie', { id: idOf(params.id) }),
  ),
  route(calls.getSeries, ({ deps, caller, params }) =>
    catalogue.details(deps, caller, 'tv', { id: idOf(params.id) }),
  ),
  route(calls.listSeasons, ({ deps, caller, params }) => catalogue.seasons(deps, caller, idOf(params.id))),
  route(calls.listEpisodes, ({ deps, caller, params }) => catalogue.episodes(deps, caller, idOf(params.id))),
  route(calls.actorBySlug, ({ deps, caller, params }) => catalogue.actor(deps, caller, params)),
  route(calls.getActor, ({ deps, caller, params }) =>
    catalogue.actorWithTitles(deps, caller, idOf(params.id)),
  ),
  route(calls.actorMovies, async ({ deps, caller, params, query }) => {
    const { id } = await catalogue.actor(deps, caller, params)
    return catalogue.filmography(deps, caller, Number(id), { type: 'movie', ...query })
  }),
  route(calls.actorSeries, async ({ deps, caller, params, query }) => {
    const { id } = await catalogue.actor(deps, caller, params)
    return catalogue.filmography(deps, caller, Number(id), { type: 'tv', ...query })
  }),
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
