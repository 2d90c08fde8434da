import * as deviceSignIn from '../../src/lib/contract/device-sign-in.ts'
import { setRefreshCookie } from '../http/refresh-cookie.ts'
import { defineRoute, type Route } from '../http/route.ts'
import {
  decideUserCode,
  issueDeviceCode,
  lookUpUserCode,
  pollDeviceCode,
} from '../services/auth/device-authorization.ts'
import { openDecisionStream } from '../services/auth/device-authorization-events.ts'

export const deviceSignInRoutes: Route[] = [
  defineRoute(deviceSignIn.requestDeviceCode, ({ body, deps, request }) =>
    issueDeviceCode(deps, request, body.device_name),
  ),
  defineRoute(deviceSignIn.pollDeviceCode, async ({ body, deps, request, setHeader }) => {
    const { reply, signInResult } = await pollDeviceCode(deps, request, body.device_code)
    if (signInResult) setRefreshCookie(deps, setHeader, signInResult.refreshToken)
    return reply
  }),
  defineRoute(deviceSignIn.streamDeviceCodeEvents, ({ body, deps }) =>
    openDecisionStream(deps, body.device_code),
  ),
  defineRoute(deviceSignIn.lookUpUserCode, ({ body, caller, deps, request }) =>
    lookUpUserCode({ deps, caller, request }, body.user_code),
  ),
  defineRoute(deviceSignIn.decideUserCode, ({ body, caller, deps, request }) =>
    decideUserCode({ deps, caller, request }, body),
  ),
]
