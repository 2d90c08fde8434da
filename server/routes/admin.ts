import * as calls from '../../src/lib/contract/admin.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as blocklist from '../services/catalogue/blocklist.ts'
import * as jobs from '../services/jobs/jobs.ts'
import * as caches from '../services/operations/caches.ts'
import { testConnection } from '../services/operations/connection-tests.ts'
import * as settings from '../services/operations/settings.ts'

export const adminRoutes: Route[] = [
  defineRoute(calls.listSettings, async (context) => ({ results: await settings.listSettings(context) })),
  defineRoute(calls.getSetting, ({ params, ...context }) => settings.loadSetting(context, params.key)),
  defineRoute(calls.putSetting, ({ body, ...context }) =>
    settings.changeSetting(context, body.key, body.value),
  ),
  defineRoute(calls.testConnection, ({ params, ...context }) => testConnection(context, params.service)),
  defineRoute(calls.purgeCloudflare, (context) => caches.startCloudflarePurge(context)),
  defineRoute(calls.purgeRedis, (context) => caches.startRedisPurge(context)),
  defineRoute(calls.syncSearch, (context) => caches.startSearchRebuild(context)),
  defineRoute(calls.listJobs, ({ query, ...context }) => jobs.listJobPage(context, query)),
  defineRoute(calls.cancelJob, ({ params, ...context }) => jobs.cancelJobById(context, params.id)),
  defineRoute(calls.getJob, ({ params, ...context }) => jobs.loadJob(context, params.id)),
  defineRoute(calls.listBlockEntries, ({ query, ...context }) => blocklist.listBlockEntries(context, query)),
  defineRoute(calls.createBlockEntry, ({ body, ...context }) => blocklist.createBlockEntry(context, body)),
  defineRoute(calls.deleteBlockEntry, ({ params, ...context }) =>
    blocklist.deleteBlockEntry(context, params.id),
  ),
]
