import * as system from '../../src/lib/contract/system.ts'
import { Problem } from '../core/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { openEventStream } from '../services/events/account-events.ts'
import { getStorageStatus, isReady } from '../services/operations/readiness.ts'

export const systemRoutes: Route[] = [
  defineRoute(system.getLiveness, () => ({ status: 'ok' as const })),
  defineRoute(system.getReadiness, async ({ deps }) => {
    if (!(await isReady(deps))) throw new Problem('overloaded', { retryAfterSeconds: 5 })
    return { status: getStorageStatus(deps) }
  }),
  defineRoute(system.streamAccountEvents, ({ deps, caller }) => openEventStream(deps, caller)),
]
