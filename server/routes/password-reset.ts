import { createPasswordResetLink } from '../../src/lib/contract/admin-users.ts'
import * as reset from '../../src/lib/contract/password-reset.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as resets from '../services/auth/password-reset.ts'

export const passwordResetRoutes: Route[] = [
  defineRoute(reset.requestPasswordReset, ({ body, deps, request }) =>
    resets.requestPasswordReset(deps, request, body.email),
  ),
  defineRoute(reset.validatePasswordReset, ({ body, deps, request }) =>
    resets.validatePasswordReset(deps, request, body.token),
  ),
  defineRoute(reset.completePasswordReset, ({ body, deps, request }) =>
    resets.completePasswordReset(deps, request, body),
  ),
  defineRoute(createPasswordResetLink, ({ params, ...context }) =>
    resets.createPasswordResetLink(context, params.id),
  ),
]
