import * as recommendCalls from '../../src/lib/contract/recommend.ts'
import * as searchCalls from '../../src/lib/contract/search.ts'
import { type Route, route } from '../http/route.ts'
import { because, similar, topGenres, topPicks } from '../services/recommend.ts'
import { search } from '../services/search.ts'
import * as signals from '../services/signals.ts'

/**
 * Search quota per account: twice the starting limit of security.md, because members of a household search on several
 * devices at once.
 */
const SEARCH_QUOTA = { maxRequests: 60, windowMs: 10_000 }
/** Cache of searches with the same text; short, because the index may lag behind the catalogue for a moment. */
const SEARCH_CACHE_MS = 1_500

export const discoveryRoutes: Route[] = [
  route(recommendCalls.topPicks, ({ query, ...context }) => topPicks(context, query)),
  route(recommendCalls.topGenres, ({ query, ...context }) => topGenres(context, query)),
  route(recommendCalls.because, ({ query, ...context }) => because(context, query)),
  route(recommendCalls.similar, ({ params, query, ...context }) => similar(context, params.id, query)),
  route(recommendCalls.listSignals, (context) => signals.list(context)),
  route(recommendCalls.switchSignal, ({ params, body, ...context }) =>
    signals.switchSignal(context, params.signal, body.off),
  ),
  route(searchCalls.search, ({ deps, caller, query }) => search(deps, caller, query), {
    quota: SEARCH_QUOTA,
    sharedMs: SEARCH_CACHE_MS,
  }),
]
