import * as calls from '../../src/lib/contract/passkeys.ts'
import { setCookieAndGetTokens } from '../http/refresh-cookie.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as passkeys from '../services/auth/passkeys.ts'

export const passkeyRoutes: Route[] = [
  defineRoute(calls.listPasskeys, (context) => passkeys.listPasskeys(context)),
  defineRoute(calls.startPasskeyRegistration, (context) => passkeys.startPasskeyRegistration(context)),
  defineRoute(calls.registerPasskey, ({ body, ...context }) => passkeys.registerPasskey(context, body)),
  defineRoute(calls.renamePasskey, ({ params, body, ...context }) =>
    passkeys.renamePasskey(context, params.id, body.name),
  ),
  defineRoute(calls.removePasskey, ({ params, ...context }) => passkeys.removePasskey(context, params.id)),
  defineRoute(calls.startPasskeySignIn, ({ deps }) => passkeys.startPasskeySignIn(deps)),
  defineRoute(calls.signInWithPasskey, async ({ body, deps, request, setHeader }) =>
    setCookieAndGetTokens(deps, setHeader, await passkeys.signInWithPasskey(deps, request, body)),
  ),
  defineRoute(calls.startPasskeyConfirmation, (context) => passkeys.startPasskeyConfirmation(context)),
  defineRoute(calls.confirmWithPasskey, ({ body, ...context }) =>
    passkeys.confirmWithPasskey(context, body.credential),
  ),
]
