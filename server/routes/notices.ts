import * as deliveryCalls from '../../src/lib/contract/notice-delivery.ts'
import * as ruleCalls from '../../src/lib/contract/notice-rules.ts'
import * as noticeCalls from '../../src/lib/contract/notices.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as settings from '../services/notices/notice-settings.ts'
import * as notices from '../services/notices/notices.ts'
import * as unsubscribe from '../services/notices/unsubscribe.ts'

/** Quota of test notices, because each test notice sends a request to the push service of a browser. */
const TEST_NOTICE_QUOTA = { maxRequests: 10, windowMs: 600_000 }

export const noticeRoutes: Route[] = [
  defineRoute(noticeCalls.listMovieNotices, (context) => notices.listNotices(context, 'high_quality')),
  defineRoute(noticeCalls.listEpisodeNotices, (context) => notices.listNotices(context, 'episode')),
  defineRoute(ruleCalls.listMutedTitles, (context) => notices.listMutedTitles(context)),
  defineRoute(ruleCalls.muteTitle, ({ params, body, ...context }) =>
    notices.changeTitleMute(context, params, body.muted),
  ),
  defineRoute(ruleCalls.listNoticeRules, (context) => notices.listNoticeRules(context)),
  defineRoute(ruleCalls.setNoticeRule, ({ params, body, ...context }) =>
    notices.changeNoticeRule(context, params, body),
  ),
  defineRoute(noticeCalls.putNoticesSeen, ({ body, ...context }) =>
    notices.acknowledgeNotices(context, body.notification_ids),
  ),
  defineRoute(deliveryCalls.getNoticeSettings, (context) => settings.loadNoticeSettings(context)),
  defineRoute(deliveryCalls.changeNoticeSettings, ({ body, ...context }) =>
    settings.changeNoticeSettings(context, body),
  ),
  defineRoute(deliveryCalls.subscribeDevice, ({ body, ...context }) =>
    settings.subscribeDevice(context, body),
  ),
  defineRoute(deliveryCalls.unsubscribeDevice, ({ params, ...context }) =>
    settings.unsubscribeDevice(context, params.deviceId),
  ),
  defineRoute(deliveryCalls.sendTestNotice, (context) => settings.sendTestNotice(context), {
    quota: TEST_NOTICE_QUOTA,
  }),
  defineRoute(deliveryCalls.showUnsubscribePage, ({ params, deps }) =>
    unsubscribe.showUnsubscribePage(deps, params.token),
  ),
  defineRoute(deliveryCalls.unsubscribeFromDigest, ({ params, deps }) =>
    unsubscribe.unsubscribeFromDigest(deps, params.token),
  ),
]
