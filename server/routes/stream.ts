import * as calls from '../../src/lib/contract/playback.ts'
import { watchBegin } from '../../src/lib/contract/playback.ts'
import { viewer } from '../http/caller.ts'
import { type Route, route } from '../http/route.ts'
import { Problem } from '../problem.ts'
import { loginOf } from '../services/auth.ts'
import { lookup } from '../services/stream.ts'
import * as watch from '../services/watch-start.ts'

export const streamRoutes: Route[] = [
  route(calls.movieStream, ({ deps, caller, params, query }) =>
    lookup(deps, caller, { type: 'movie', imdbId: params.imdbId, quality: query.quality }),
  ),
  route(calls.episodeStream, ({ deps, caller, params, query }) =>
    lookup(deps, caller, { type: 'tv', ...params, quality: query.quality }),
  ),
  // Authenticates with the refresh cookie. It is SameSite=Strict and the request changes nothing, so other sites
  // cannot misuse it.
  route(watchBegin, async ({ deps, request, query, raw }) => {
    const { screen, save_data, line, ...watchRequest } = query
    const isContinuation = /^bytes=(?!0-)/.test(raw.headers.get('range') ?? '')
    const login = await loginOf(deps, request.refreshToken)
    if (!login) throw new Problem('unauthorized')
    const caller = await viewer(login, { ...request, profileId: null }, deps)
    const url = await watch.watchBegin(deps, caller, watchRequest, {
      screen,
      saveData: save_data,
      line,
      goesOn: isContinuation,
    })
    // The response is 204 instead of an error, which browsers would print to the console; the player requests the
    // playback itself.
    return new Response(null, url ? { status: 307, headers: { Location: url } } : { status: 204 })
  }),
]
