import * as calls from '../../src/lib/contract/email-change.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as email from '../services/auth/email-change.ts'

export const emailChangeRoutes: Route[] = [
  defineRoute(calls.requestEmailChange, ({ body, ...context }) =>
    email.requestEmailChange(context, body.new_email),
  ),
  defineRoute(calls.validateEmailLink, ({ body, deps, request }) =>
    email.validateEmailLink(deps, request, body.token),
  ),
  defineRoute(calls.completeEmailLink, ({ body, deps, request }) =>
    email.completeEmailLink(deps, request, body.token),
  ),
  defineRoute(calls.changeUserEmail, ({ params, body, ...context }) =>
    email.changeUserEmail(context, params.id, body.email),
  ),
]
