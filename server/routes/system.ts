import { setImmediate } from 'node:timers/promises'
import * as system from '../../src/lib/contract/system.ts'
import { Problem } from '../core/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { openEventStream } from '../services/events/account-events.ts'
import { getStorageStatus, isReady } from '../services/operations/readiness.ts'

export const systemRoutes: Route[] = [
  defineRoute(system.getLiveness, () => ({ status: 'ok' as const })),
  defineRoute(system.getReadiness, async ({ deps }) => {
    const isDatabaseReady = await isReady(deps)
    // A stop signal and a request may arrive at the same time. Node.js handles signals after the requests that it has
    // read. So the check waits until the event loop has handled both.
    await setImmediate()
    if (!isDatabaseReady || deps.isStopping()) throw new Problem('overloaded', { retryAfterSeconds: 5 })
    return { status: getStorageStatus(deps) }
  }),
  defineRoute(system.streamAccountEvents, ({ deps, caller, rawRequest }) =>
    openEventStream(deps, caller, { isReconnection: Boolean(rawRequest.headers.get('last-event-id')) }),
  ),
]
