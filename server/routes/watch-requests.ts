import * as activityCalls from '../../src/lib/contract/family-activity.ts'
import * as calls from '../../src/lib/contract/watch-requests.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { loadProfileActivity } from '../services/family/activity.ts'
import { loadChildOptions, saveChildOptions } from '../services/family/child-options.ts'
import * as requests from '../services/family/watch-requests.ts'
import { isParentPinRight } from '../services/profiles/pin.ts'

export const watchRequestRoutes: Route[] = [
  defineRoute(calls.listAskableTitles, ({ query, ...context }) =>
    requests.listAskableTitles(context, query.name),
  ),
  defineRoute(calls.createWatchRequest, ({ body, ...context }) => requests.createWatchRequest(context, body)),
  defineRoute(calls.listWatchRequests, (context) => requests.listWatchRequests(context)),
  defineRoute(
    calls.answerWatchRequest,
    ({ params, body, ...context }) => requests.answerWatchRequest(context, params.requestId, body.answer),
    { needsProof: async ({ body, ...context }) => !(await isParentPinRight(context, body.pin)) },
  ),
  defineRoute(calls.getChildOptions, (context) => loadChildOptions(context)),
  defineRoute(calls.putChildOptions, ({ body, ...context }) => saveChildOptions(context, body)),
  defineRoute(activityCalls.getProfileActivity, (context) => loadProfileActivity(context)),
]
