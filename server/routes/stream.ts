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
  /* The cookie is SameSite=Strict, and what it opens is read only: nobody else's page can have it asked. */
  route(watchBegin, async ({ deps, request, query, raw }) => {
    const { screen, save_data, line, ...wanted } = query
    const goesOn = /^bytes=(?!0-)/.test(raw.headers.get('range') ?? '')
    const login = await loginOf(deps, request.refreshToken)
    if (!login) throw new Problem('unauthorized')
    const caller = await viewer(login, { ...request, profileId: null }, deps)
    const url = await watch.watchBegin(deps, caller, wanted, {
      screen,
      saveData: save_data,
      line,
      goesOn,
    })
    /* Not an error, which browsers would write down: the player finds out by itself. */
    return new Response(null, url ? { status: 307, headers: { Location: url } } : { status: 204 })
  }),
]
