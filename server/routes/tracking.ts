import * as feedbackCalls from '../../src/lib/contract/feedback.ts'
import * as interactionCalls from '../../src/lib/contract/interaction.ts'
import * as noticeCalls from '../../src/lib/contract/notices.ts'
import * as progressCalls from '../../src/lib/contract/progress.ts'
import * as watchlistCalls from '../../src/lib/contract/watchlist.ts'
import { type Route, route } from '../http/route.ts'
import { continueWatching } from '../services/continue-watching.ts'
import * as feedback from '../services/feedback.ts'
import * as history from '../services/history.ts'
import { interact } from '../services/interaction.ts'
import * as notices from '../services/notices.ts'
import * as watchlist from '../services/watchlist.ts'

export const trackingRoutes: Route[] = [
  route(watchlistCalls.listWatchlist, ({ query, ...context }) => watchlist.list(context, query)),
  route(watchlistCalls.putWatchlist, ({ body, ...context }) => watchlist.putSeveral(context, body.entries)),
  route(watchlistCalls.getWatchlistEntry, ({ params, ...context }) => watchlist.entry(context, params)),
  route(watchlistCalls.putWatchlistEntry, ({ params, body, ...context }) =>
    watchlist.put(context, params, body),
  ),
  route(watchlistCalls.toggleWatchlistEntry, ({ params, body, ...context }) =>
    watchlist.put(context, params, { ...body, toggle: true }),
  ),
  route(watchlistCalls.setWatchState, ({ params, ...context }) =>
    watchlist.put(context, params, { state: params.state }),
  ),
  route(progressCalls.getHistory, ({ params, ...context }) => history.history(context, params)),
  route(progressCalls.postHistory, ({ body, ...context }) => history.save(context, body)),
  route(progressCalls.resetHistory, ({ params, ...context }) => history.reset(context, params)),
  route(progressCalls.clearHistory, (context) => history.clear(context)),
  route(progressCalls.undoHistory, (context) => history.undo(context)),
  route(feedbackCalls.listFeedback, ({ query, ...context }) => feedback.rated(context, query)),
  route(feedbackCalls.getFeedback, ({ params, ...context }) => feedback.feedback(context, params)),
  route(feedbackCalls.putFeedback, ({ params, body, ...context }) =>
    feedback.rate(context, params, body.feedback),
  ),
  route(interactionCalls.putInteraction, ({ params, body, ...context }) =>
    interact(context, params, body.event),
  ),
  route(progressCalls.continueWatching, ({ query, ...context }) => continueWatching(context, query)),
  route(noticeCalls.movieNotices, (context) => notices.list(context, 'high_quality')),
  route(noticeCalls.episodeNotices, (context) => notices.list(context, 'episode')),
  route(noticeCalls.listMuted, (context) => notices.muted(context)),
  route(noticeCalls.muteTitle, ({ params, body, ...context }) => notices.mute(context, params, body.muted)),
  route(noticeCalls.seeNotices, ({ body, ...context }) => notices.see(context, body.notification_ids)),
]
