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
  route(calls.listWatchlist, ({ query, ...by }) => watchlist.list(by, query)),
  route(calls.putWatchlist, ({ body, ...by }) => watchlist.putSeveral(by, body.entries)),
  route(calls.getWatchlistEntry, ({ params, ...by }) => watchlist.entry(by, params)),
  route(calls.putWatchlistEntry, ({ params, body, ...by }) => watchlist.put(by, params, body)),
  route(calls.toggleWatchlistEntry, ({ params, body, ...by }) =>
    watchlist.put(by, params, { ...body, toggle: true }),
  ),
  route(calls.setWatchState, ({ params, ...by }) => watchlist.put(by, params, { state: params.state })),
  route(calls.getHistory, ({ params, ...by }) => history.history(by, params)),
  route(calls.postHistory, ({ body, ...by }) => history.save(by, body)),
  route(calls.resetHistory, ({ params, ...by }) => history.reset(by, params)),
  route(calls.clearHistory, (by) => history.clear(by)),
  route(calls.undoHistory, (by) => history.undo(by)),
  route(calls.listFeedback, ({ query, ...by }) => feedback.rated(by, query)),
  route(calls.getFeedback, ({ params, ...by }) => feedback.feedback(by, params)),
  route(calls.putFeedback, ({ params, body, ...by }) => feedback.rate(by, params, body.feedback)),
  route(calls.putInteraction, ({ params, body, ...by }) => interact(by, params, body.event)),
  route(calls.continueWatching, ({ query, ...by }) => continueWatching(by, query)),
  route(noticeCalls.movieNotices, (by) => notices.list(by, 'high_quality')),
  route(noticeCalls.episodeNotices, (by) => notices.list(by, 'episode')),
  route(noticeCalls.listMuted, (by) => notices.muted(by)),
  route(noticeCalls.muteTitle, ({ params, body, ...by }) => notices.mute(by, params, body.muted)),
  route(noticeCalls.seeNotices, ({ body, ...by }) => notices.see(by, body.notification_ids)),
]
