import { resetSecondFactor } from '../../src/lib/contract/admin-users.ts'
import * as calls from '../../src/lib/contract/second-factor.ts'
import { setCookieAndGetTokens } from '../http/refresh-cookie.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as secondFactor from '../services/auth/second-factor.ts'
import { completeSignInStep } from '../services/auth/sign-in-step.ts'
import { confirmSecondFactor } from '../services/auth/step-up.ts'

export const secondFactorRoutes: Route[] = [
  defineRoute(calls.getSecondFactor, (context) => secondFactor.loadSecondFactor(context)),
  defineRoute(calls.startTotpSetup, (context) => secondFactor.startTotpSetup(context)),
  defineRoute(calls.confirmTotpSetup, ({ body, ...context }) => secondFactor.confirmTotpSetup(context, body)),
  defineRoute(calls.removeTotp, ({ body, ...context }) =>
    secondFactor.removeTotp(context, body.sign_out_others === true),
  ),
  defineRoute(calls.createRecoveryCodes, (context) => secondFactor.createRecoveryCodes(context)),
  defineRoute(calls.completeSignIn, async ({ body, deps, request, setHeader }) =>
    setCookieAndGetTokens(deps, setHeader, await completeSignInStep(deps, request, body)),
  ),
  defineRoute(calls.confirmSecondFactor, ({ body, ...context }) => confirmSecondFactor(context, body.code)),
  defineRoute(resetSecondFactor, ({ params, ...context }) =>
    secondFactor.resetSecondFactor(context, params.id),
  ),
]
