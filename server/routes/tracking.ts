import * as availabilityCalls from '../../src/lib/contract/availability.ts'
import * as feedbackCalls from '../../src/lib/contract/feedback.ts'
import * as interactionCalls from '../../src/lib/contract/interaction.ts'
import * as progressCalls from '../../src/lib/contract/progress.ts'
import * as ratingCalls from '../../src/lib/contract/ratings.ts'
import * as statisticsCalls from '../../src/lib/contract/statistics.ts'
import * as viewingCalls from '../../src/lib/contract/viewings.ts'
import * as watchNextCalls from '../../src/lib/contract/watch-next.ts'
import * as watchlistCalls from '../../src/lib/contract/watchlist.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as feedback from '../services/feedback/feedback.ts'
import * as ratings from '../services/feedback/ratings.ts'
import * as availability from '../services/library/availability-requests.ts'
import { listContinueWatching } from '../services/progress/continue-watching.ts'
import { recordInteraction } from '../services/progress/interaction.ts'
import { loadProgress, saveProgress } from '../services/progress/progress.ts'
import * as progressRemoval from '../services/progress/progress-removal.ts'
import { loadStatistics } from '../services/statistics/statistics.ts'
import { listViewings } from '../services/viewings/list-viewings.ts'
import * as viewings from '../services/viewings/viewing-edits.ts'
import { listWatchNext } from '../services/watch-next/list-watch-next.ts'
import * as watchlist from '../services/watchlist/watchlist.ts'

export const trackingRoutes: Route[] = [
  defineRoute(watchlistCalls.listWatchlist, ({ query, ...context }) =>
    watchlist.listWatchlistPage(context, query),
  ),
  defineRoute(watchlistCalls.putWatchlistEntries, ({ body, ...context }) =>
    watchlist.changeWatchlistEntries(context, body),
  ),
  defineRoute(watchlistCalls.getWatchlistEntry, ({ params, ...context }) =>
    watchlist.loadWatchlistEntry(context, params),
  ),
  defineRoute(watchlistCalls.putWatchlistEntry, ({ params, body, ...context }) =>
    watchlist.changeWatchlistEntry(context, params, body),
  ),
  defineRoute(watchlistCalls.toggleWatchlistEntry, ({ params, body, ...context }) =>
    watchlist.changeWatchlistEntry(context, params, { ...body, toggle: true }),
  ),
  defineRoute(watchlistCalls.setWatchState, ({ params, ...context }) =>
    watchlist.changeWatchlistEntry(context, params, { state: params.state }),
  ),
  defineRoute(progressCalls.getTitleProgress, ({ params, ...context }) => loadProgress(context, params)),
  defineRoute(progressCalls.postProgress, ({ body, ...context }) => saveProgress(context, body)),
  defineRoute(progressCalls.deleteTitleProgress, ({ params, body, ...context }) =>
    progressRemoval.removeTitleProgress(context, params, body),
  ),
  defineRoute(progressCalls.deleteAllProgress, ({ body, ...context }) =>
    progressRemoval.removeAllProgress(context, body),
  ),
  defineRoute(progressCalls.restoreDeletedProgress, ({ body, ...context }) =>
    progressRemoval.undoProgressRemoval(context, body.removed_at),
  ),
  defineRoute(viewingCalls.listViewings, ({ query, ...context }) => listViewings(context, query)),
  defineRoute(statisticsCalls.getStatistics, ({ query, ...context }) => loadStatistics(context, query)),
  defineRoute(viewingCalls.markSeen, ({ body, ...context }) => viewings.markSeen(context, body)),
  defineRoute(viewingCalls.removeViewings, ({ body, ...context }) => viewings.removeViewings(context, body)),
  defineRoute(viewingCalls.changeViewingDate, ({ body, ...context }) =>
    viewings.changeViewingDate(context, body),
  ),
  defineRoute(viewingCalls.changeViewingNote, ({ body, ...context }) =>
    viewings.changeViewingNote(context, body),
  ),
  defineRoute(
    viewingCalls.undoViewingEdit,
    ({ params, ...context }) => viewings.undoViewingEdit(context, params.key),
    { needsProof: ({ params, ...context }) => viewings.needsProofToUndo(context, params.key) },
  ),
  defineRoute(feedbackCalls.listFeedback, ({ query, ...context }) =>
    feedback.listTitlesByFeedback(context, query),
  ),
  defineRoute(feedbackCalls.getFeedback, ({ params, ...context }) => feedback.loadFeedback(context, params)),
  defineRoute(
    feedbackCalls.putFeedback,
    ({ params, body, ...context }) => feedback.saveFeedback(context, params, body),
    { needsProof: ({ params, body, ...context }) => feedback.removesDislike(context, params, body.feedback) },
  ),
  defineRoute(ratingCalls.getRating, ({ params, ...context }) => ratings.loadRating(context, params)),
  defineRoute(ratingCalls.putRating, ({ params, body, ...context }) =>
    ratings.saveRating(context, params, body),
  ),
  defineRoute(interactionCalls.putInteraction, ({ params, body, ...context }) =>
    recordInteraction(context, params, body),
  ),
  defineRoute(progressCalls.listContinueWatching, ({ query, ...context }) =>
    listContinueWatching(context, query),
  ),
  defineRoute(watchNextCalls.listWatchNext, (context) => listWatchNext(context)),
  defineRoute(availabilityCalls.getAvailabilityRequest, ({ params, ...context }) =>
    availability.loadAvailabilityRequest(context, params),
  ),
  defineRoute(availabilityCalls.putAvailabilityRequest, ({ params, body, ...context }) =>
    availability.changeAvailabilityRequest(context, params, body.requested),
  ),
]
