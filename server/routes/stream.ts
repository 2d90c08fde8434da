import * as calls from '../../src/lib/contract/playback.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { lookUpStream } from '../services/playback/stream.ts'

export const streamRoutes: Route[] = [
  defineRoute(calls.getMovieStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'movie', imdbId: params.imdbId, quality: query.quality }),
  ),
  defineRoute(calls.getEpisodeStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'tv', ...params, quality: query.quality }),
  ),
]
