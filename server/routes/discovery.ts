import * as recommendCalls from '../../src/lib/contract/recommend.ts'
import * as searchCalls from '../../src/lib/contract/search.ts'
import { type Route, route } from '../http/route.ts'
import { because, similar, topGenres, topPicks } from '../services/recommend.ts'
import { search } from '../services/search.ts'
import * as signals from '../services/signals.ts'

/** Searches of one account (security.md, starting limits, doubled: a household types on several screens). */
const SEARCH_QUOTA = { most: 60, windowMs: 10_000 }
/** What others typed as well; short, since the index may be a moment behind the catalogue. */
const SEARCH_SHARED_MS = 1_500

export const discoveryRoutes: Route[] = [
  route(recommendCalls.topPicks, ({ query, ...by }) => topPicks(by, query)),
  route(recommendCalls.topGenres, ({ query, ...by }) => topGenres(by, query)),
  route(recommendCalls.because, ({ query, ...by }) => because(by, query)),
  route(recommendCalls.similar, ({ params, query, ...by }) => similar(by, params.id, query)),
  route(recommendCalls.listSignals, (by) => signals.list(by)),
  route(recommendCalls.switchSignal, ({ params, body, ...by }) =>
    signals.switchSignal(by, params.signal, body.off),
  ),
  route(searchCalls.search, ({ deps, caller, query }) => search(deps, caller, query), {
    quota: SEARCH_QUOTA,
    sharedMs: SEARCH_SHARED_MS,
  }),
]
