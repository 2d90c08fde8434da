import { removeAddedViewingTime } from '../../src/lib/contract/added-viewing-time.ts'
import * as calls from '../../src/lib/contract/viewing-time.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { requireTitle } from '../services/context.ts'
import { getVideoKey } from '../services/family/count-viewing-time.ts'
import * as viewingAdditions from '../services/family/viewing-additions.ts'
import { startGrace } from '../services/family/viewing-grace.ts'
import * as limits from '../services/family/viewing-limits.ts'
import { loadViewingTime } from '../services/family/viewing-time.ts'
import { isParentPinRight } from '../services/profiles/pin.ts'

export const viewingTimeRoutes: Route[] = [
  defineRoute(calls.getViewingTime, (context) => loadViewingTime(context)),
  defineRoute(calls.finishEpisode, async ({ body, ...context }) => {
    const title = await requireTitle(context, { type: body.type, mediaId: body.media_id })
    const videoKey = getVideoKey(title.title_id, body.season, body.episode)
    return startGrace(context, videoKey)
  }),
  defineRoute(
    calls.addViewingTime,
    ({ body, ...context }) => viewingAdditions.addViewingTime(context, body),
    {
      needsProof: async ({ body, ...context }) => !(await isParentPinRight(context, body.pin)),
    },
  ),
  defineRoute(removeAddedViewingTime, ({ params, ...context }) =>
    viewingAdditions.removeAddedViewingTime(context, params.key),
  ),
  defineRoute(calls.getViewingLimits, (context) => limits.loadViewingLimits(context)),
  defineRoute(calls.putViewingLimits, ({ body: { password: _password, ...body }, ...context }) =>
    limits.saveViewingLimits(context, body),
  ),
  defineRoute(calls.getFamilySettings, (context) => limits.loadFamilySettings(context)),
  defineRoute(calls.putFamilySettings, ({ body, ...context }) => limits.saveFamilySettings(context, body)),
  defineRoute(calls.putExitPin, ({ body, ...context }) => limits.saveExitPin(context, body.pin)),
]
