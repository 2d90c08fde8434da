import * as system from '../../src/lib/contract/system.ts'
import { type Route, route } from '../http/route.ts'
import { Problem } from '../problem.ts'
import { databaseAnswers } from '../queries/health.ts'
import { openEvents } from '../services/live.ts'

export const systemRoutes: Route[] = [
  route(system.live, () => ({ status: 'ok' as const })),
  route(system.ready, async ({ deps }) => {
    if (deps.stopping() || !(await databaseAnswers(deps.database.primary))) {
      throw new Problem('overloaded', { retryAfter: 5 })
    }
    return { status: 'ok' as const }
  }),
  route(system.events, ({ deps, caller }) => openEvents(deps, caller)),
]
