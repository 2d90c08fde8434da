import * as calls from '../../src/lib/contract/api-keys.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as keys from '../services/auth/api-keys.ts'

export const apiKeyRoutes: Route[] = [
  defineRoute(calls.listApiKeys, (context) => keys.listApiKeys(context)),
  defineRoute(calls.createApiKey, ({ body, ...context }) => keys.createApiKey(context, body)),
  defineRoute(calls.revokeApiKey, ({ params, ...context }) => keys.revokeApiKey(context, params.id)),
]
