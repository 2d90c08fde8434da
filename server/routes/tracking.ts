import * as feedbackCalls from '../../src/lib/contract/feedback.ts'
import * as interactionCalls from '../../src/lib/contract/interaction.ts'
import * as noticeCalls from '../../src/lib/contract/notices.ts'
import * as progressCalls from '../../src/lib/contract/progress.ts'
import * as watchlistCalls from '../../src/lib/contract/watchlist.ts'
import { type Route, route } from '../http/route.ts'
import { continueWatching } from '../services/continue-watching.ts'
import * as history from '../services/history.ts'
import * as notices from '../services/notices.ts'
import * as tracking from '../services/tracking.ts'

export const trackingRoutes: Route[] = [
  route(watchlistCalls.listWatchlist, ({ query, ...by }) => tracking.list(by, query)),
  route(watchlistCalls.putWatchlist, ({ body, ...by }) => tracking.putSeveral(by, body.entries)),
  route(watchlistCalls.getWatchlistEntry, ({ params, ...by }) => tracking.entry(by, params)),
  route(watchlistCalls.putWatchlistEntry, ({ params, body, ...by }) => tracking.put(by, params, body)),
  route(watchlistCalls.toggleWatchlistEntry, ({ params, body, ...by }) =>
    tracking.put(by, params, { ...body, toggle: true }),
  ),
  route(watchlistCalls.setWatchState, ({ params, ...by }) =>
    tracking.put(by, params, { state: params.state }),
  ),
  route(progressCalls.getHistory, ({ params, ...by }) => history.history(by, params)),
  route(progressCalls.postHistory, ({ body, ...by }) => history.save(by, body)),
  route(progressCalls.resetHistory, ({ params, ...by }) => history.reset(by, params)),
  route(progressCalls.clearHistory, (by) => history.clear(by)),
  route(progressCalls.undoHistory, (by) => history.undo(by)),
  route(feedbackCalls.listFeedback, ({ query, ...by }) => tracking.rated(by, query)),
  route(feedbackCalls.getFeedback, ({ params, ...by }) => tracking.feedback(by, params)),
  route(feedbackCalls.putFeedback, ({ params, body, ...by }) => tracking.rate(by, params, body.feedback)),
  route(interactionCalls.putInteraction, ({ params, body, ...by }) =>
    tracking.interact(by, params, body.event),
  ),
  route(progressCalls.continueWatching, ({ query, ...by }) => continueWatching(by, query)),
  route(noticeCalls.movieNotices, (by) => notices.list(by, 'high_quality')),
  route(noticeCalls.episodeNotices, (by) => notices.list(by, 'episode')),
  route(noticeCalls.listMuted, (by) => notices.muted(by)),
  route(noticeCalls.muteTitle, ({ params, body, ...by }) => notices.mute(by, params, body.muted)),
  route(noticeCalls.seeNotices, ({ body, ...by }) => notices.see(by, body.notification_ids)),
]
