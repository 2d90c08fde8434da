import * as calls from '../../src/lib/contract/stream.ts'
import { type Route, route } from '../http/route.ts'
import { lookup } from '../services/stream.ts'

export const streamRoutes: Route[] = [
  route(calls.movieStream, ({ deps, caller, params, query }) =>
    lookup(deps, caller, { type: 'movie', imdbId: params.imdbId, quality: query.quality }),
  ),
  route(calls.episodeStream, ({ deps, caller, params, query }) =>
    lookup(deps, caller, { type: 'tv', ...params, quality: query.quality }),
  ),
]
