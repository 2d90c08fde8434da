import { listCharacters as listCharactersCall } from '../../src/lib/contract/characters.ts'
import * as recommendCalls from '../../src/lib/contract/recommendations.ts'
import * as searchCalls from '../../src/lib/contract/search.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { recordKidsSearch } from '../services/family/activity.ts'
import { listCharacters } from '../services/recommendations/characters.ts'
import {
  recommendBecauseRows,
  recommendRowsByGenre,
  recommendTopPicks,
} from '../services/recommendations/recommendations.ts'
import * as signals from '../services/recommendations/signals.ts'
import { recommendSimilarTitles } from '../services/recommendations/similar-titles.ts'
import { searchCatalogue } from '../services/search/search.ts'

/**
 * Search quota per account. It is large enough for several members of a household who search at the same time on
 * different devices.
 */
const SEARCH_QUOTA = { maxRequests: 60, windowMs: 10_000 }
/** Cache time of a search. It is short, because the index may lag behind the catalogue for a moment. */
const SEARCH_CACHE_MS = 1_500

export const discoveryRoutes: Route[] = [
  defineRoute(recommendCalls.listTopPicks, ({ query, ...context }) => recommendTopPicks(context, query)),
  defineRoute(recommendCalls.listTopGenreRows, ({ query, ...context }) =>
    recommendRowsByGenre(context, query),
  ),
  defineRoute(recommendCalls.listBecauseRows, ({ query, ...context }) =>
    recommendBecauseRows(context, query),
  ),
  defineRoute(recommendCalls.listSimilarTitles, ({ params, query, ...context }) =>
    recommendSimilarTitles(context, params.id, query),
  ),
  defineRoute(listCharactersCall, (context) => listCharacters(context)),
  defineRoute(recommendCalls.listSignals, (context) => signals.listSignals(context)),
  defineRoute(recommendCalls.putSignal, ({ params, body, ...context }) =>
    signals.switchSignal(context, params.signal, body.off),
  ),
  defineRoute(
    searchCalls.searchCatalogue,
    ({ deps, caller, query }) => searchCatalogue(deps, caller, query),
    {
      quota: SEARCH_QUOTA,
      cacheMs: SEARCH_CACHE_MS,
      // All machines share the cache, but each machine has its own index. So the result of an outdated index is not
      // cached.
      isCacheable: ({ searchIndex }, { catalogueVersion }) => searchIndex.isUpToDate(catalogueVersion),
      onRequest: ({ deps, caller, query }) => recordKidsSearch(deps, caller, query.q),
    },
  ),
]
