import * as calls from '../../src/lib/contract/calendar.ts'
import { matchesIfNoneMatch } from '../http/if-none-match.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { sha256 } from '../services/auth/secret.ts'
import * as feed from '../services/calendar/calendar-feed.ts'
import { listReleases } from '../services/calendar/list-releases.ts'

export const calendarRoutes: Route[] = [
  defineRoute(calls.listReleases, ({ query, ...context }) => listReleases(context, query)),
  defineRoute(calls.getCalendarFeedState, (context) => feed.loadCalendarFeedState(context)),
  defineRoute(calls.createCalendarFeed, (context) => feed.createCalendarFeed(context)),
  defineRoute(calls.revokeCalendarFeed, (context) => feed.revokeCalendarFeed(context)),
  defineRoute(calls.readCalendarFeed, async ({ params, deps, request, rawRequest }) => {
    const calendarText = await feed.readCalendarFeed(deps, request, params.token)
    const etag = `"${sha256(calendarText)}"`
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    const isCalendarUnchanged = matchesIfNoneMatch(rawRequest.headers.get('if-none-match') ?? undefined, etag)
    return isCalendarUnchanged
      ? new Response(null, { status: 304, headers })
      : new Response(calendarText, {
          headers: { ...headers, 'Content-Type': 'text/calendar; charset=utf-8' },
        })
  }),
]
