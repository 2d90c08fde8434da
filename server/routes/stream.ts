import * as calls from '../../src/lib/contract/playback.ts'
import { redirectToPlayback } from '../../src/lib/contract/playback.ts'
import { Problem } from '../core/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { resolveViewer } from '../services/auth/audience.ts'
import { findLoginByRefreshToken } from '../services/auth/login.ts'
import * as watch from '../services/playback/playback-start.ts'
import { lookUpStream } from '../services/playback/stream.ts'

export const streamRoutes: Route[] = [
  defineRoute(calls.getMovieStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'movie', imdbId: params.imdbId, quality: query.quality }),
  ),
  defineRoute(calls.getEpisodeStream, ({ deps, caller, params, query }) =>
    lookUpStream(deps, caller, { type: 'tv', ...params, quality: query.quality }),
  ),
  // Authenticates with the refresh cookie. It is SameSite=Strict and the request changes nothing, so other sites
  // cannot misuse it.
  defineRoute(redirectToPlayback, async ({ deps, request, query, raw }) => {
    const { screen, save_data, line, ...watchRequest } = query
    const isContinuation = /^bytes=(?!0-)/.test(raw.headers.get('range') ?? '')
    const login = await findLoginByRefreshToken(deps, request.refreshToken)
    if (!login) throw new Problem('unauthorized')
    const caller = await resolveViewer(login, { ...request, profileId: null }, deps)
    const url = await watch.choosePlaybackUrl(deps, caller, watchRequest, {
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
