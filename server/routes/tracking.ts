import * as noticeCalls from '../../src/lib/contract/notices.ts'
import * as calls from '../../src/lib/contract/tracking.ts'
import { type Route, route } from '../http/route.ts'
import { continueWatching } from '../services/continue-watching.ts'
import * as feedback from '../services/feedback.ts'
import * as history from '../services/history.ts'
import { interact } from '../services/interaction.ts'
import * as notices from '../services/notices.ts'
import * as watchlist from '../services/watchlist.ts'

export const trackingRoutes: Route[] = [
  route(calls.listWatchlist, ({ query, ...context }) => watchlist.list(context, query)),
  route(calls.putWatchlist, ({ body, ...context }) => watchlist.putSeveral(context, body.entries)),
  route(calls.getWatchlistEntry, ({ params, ...context }) => watchlist.entry(context, params)),
  route(calls.putWatchlistEntry, ({ params, body, ...context }) => watchlist.put(context, params, body)),
  route(calls.toggleWatchlistEntry, ({ params, body, ...context }) =>
    watchlist.put(context, params, { ...body, toggle: true }),
  ),
  route(calls.setWatchState, ({ params, ...context }) => watchlist.put(context, params, { state: params.state })),
  route(calls.getHistory, ({ params, ...context }) => history.history(context, params)),
  route(calls.postHistory, ({ body, ...context }) => history.save(context, body)),
  route(calls.resetHistory, ({ params, ...context }) => history.reset(context, params)),
  route(calls.clearHistory, (context) => history.clear(context)),
  route(calls.undoHistory, (context) => history.undo(context)),
  route(calls.listFeedback, ({ query, ...context }) => feedback.rated(context, query)),
  route(calls.getFeedback, ({ params, ...context }) => feedback.feedback(context, params)),
  route(calls.putFeedback, ({ params, body, ...context }) => feedback.rate(context, params, body.feedback)),
  route(calls.putInteraction, ({ params, body, ...context }) => interact(context, params, body.event)),
  route(calls.continueWatching, ({ query, ...context }) => continueWatching(context, query)),
  route(noticeCalls.movieNotices, (context) => notices.list(context, 'high_quality')),
  route(noticeCalls.episodeNotices, (context) => notices.list(context, 'episode')),
  route(noticeCalls.listMuted, (context) => notices.muted(context)),
  route(noticeCalls.muteTitle, ({ params, body, ...context }) => notices.mute(context, params, body.muted)),
  route(noticeCalls.seeNotices, ({ body, ...context }) => notices.see(context, body.notification_ids)),
]
