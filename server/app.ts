import type { Hono } from 'hono'
import type { Deps } from './deps.ts'
import { mountRoutes } from './http/mount.ts'
import type { Route } from './http/route.ts'
import { authRoutes } from './routes/auth.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { profileRoutes } from './routes/profiles.ts'
import { systemRoutes } from './routes/system.ts'
import { trackingRoutes } from './routes/tracking.ts'

/** Every call that the server answers; tests/server/contract.test.ts holds it against the contract. */
export const ROUTES: readonly Route[] = [
  ...systemRoutes,
  ...authRoutes,
  ...catalogueRoutes,
  ...profileRoutes,
  ...trackingRoutes,
]

export function createApp(deps: Deps) {
  return mountRoutes(ROUTES, deps) as unknown as Hono
}
