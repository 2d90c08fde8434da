import * as calls from '../../src/lib/contract/admin.ts'
import { type Route, route } from '../http/route.ts'
import * as blocklist from '../services/blocklist.ts'
import * as caches from '../services/caches.ts'
import * as jobs from '../services/jobs.ts'
import * as settings from '../services/settings.ts'

export const adminRoutes: Route[] = [
  route(calls.listSettings, async (context) => ({ results: await settings.all(context) })),
  route(calls.getSetting, ({ params, ...context }) => settings.one(context, params.key)),
  route(calls.putSetting, ({ body, ...context }) => settings.set(context, body.key, body.value)),
  route(calls.purgeCloudflare, (context) => caches.purgeCloudflare(context)),
  route(calls.purgeRedis, (context) => caches.purgeRedis(context)),
  route(calls.syncSearch, (context) => caches.syncSearch(context)),
  route(calls.listJobs, ({ query, ...context }) => jobs.list(context, query)),
  route(calls.cancelJob, ({ params, ...context }) => jobs.cancel(context, params.id)),
  route(calls.getJob, ({ params, ...context }) => jobs.get(context, params.id)),
  route(calls.listBlocks, ({ query, ...context }) => blocklist.list(context, query)),
  route(calls.createBlock, ({ body, ...context }) => blocklist.add(context, body)),
  route(calls.deleteBlock, ({ params, ...context }) => blocklist.remove(context, params.id)),
]
