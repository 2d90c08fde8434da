import * as calls from '../../src/lib/contract/admin.ts'
import { type Route, route } from '../http/route.ts'
import * as blocklist from '../services/blocklist.ts'
import * as caches from '../services/caches.ts'
import * as jobs from '../services/jobs.ts'
import * as settings from '../services/settings.ts'

export const adminRoutes: Route[] = [
  route(calls.listSettings, async (by) => ({ results: await settings.all(by) })),
  route(calls.getSetting, ({ params, ...by }) => settings.one(by, params.key)),
  route(calls.putSetting, ({ body, ...by }) => settings.set(by, body.key, body.value)),
  route(calls.purgeCloudflare, (by) => caches.purgeCloudflare(by)),
  route(calls.purgeRedis, (by) => caches.purgeRedis(by)),
  route(calls.syncSearch, (by) => caches.syncSearch(by)),
  route(calls.listJobs, ({ query, ...by }) => jobs.list(by, query)),
  route(calls.cancelJob, ({ params, ...by }) => jobs.cancel(by, params.id)),
  route(calls.getJob, ({ params, ...by }) => jobs.get(by, params.id)),
  route(calls.listBlocks, ({ query, ...by }) => blocklist.list(by, query)),
  route(calls.createBlock, ({ body, ...by }) => blocklist.add(by, body)),
  route(calls.deleteBlock, ({ params, ...by }) => blocklist.remove(by, params.id)),
]
