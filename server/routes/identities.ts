import * as admin from '../../src/lib/contract/admin-identity-providers.ts'
import * as calls from '../../src/lib/contract/identities.ts'
import { setCookieAndGetTokens, setProviderCookie } from '../http/refresh-cookie.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { isAdultProven } from '../services/auth/proof.ts'
import * as signIn from '../services/auth/provider-sign-in.ts'
import * as providers from '../services/operations/identity-providers.ts'

export const identityRoutes: Route[] = [
  defineRoute(calls.listSignInMethods, ({ deps }) => signIn.listSignInMethods(deps)),
  defineRoute(calls.startProviderSignIn, async ({ params, body, deps, request, setHeader }) => {
    const purpose = { kind: 'sign-in' as const, invitation: body.invitation ?? null }
    const authorizationRequest = { providerId: params.id, purpose, locale: body.locale }
    const { url, cookie } = await signIn.startProviderAuthorization(deps, request, authorizationRequest)
    setProviderCookie(deps, setHeader, cookie)
    return { url }
  }),
  defineRoute(
    calls.startIdentityLink,
    async ({ params, body, ...context }) => {
      const { url, cookie } = await signIn.startIdentityLink(context, params.id, body.locale)
      setProviderCookie(context.deps, context.setHeader, cookie)
      return { url }
    },
    { needsProof: async ({ caller }) => caller.account.password_hash !== '' || !isAdultProven(caller) },
  ),
  defineRoute(calls.receiveProviderResponse, ({ params, rawRequest }) => {
    const completionPath = signIn.getCompletionPath(params.id, new URL(rawRequest.url).searchParams)
    return new Response(null, { status: 303, headers: { Location: completionPath } })
  }),
  defineRoute(calls.completeProviderSignIn, async ({ params, body, deps, request, setHeader }) => {
    setProviderCookie(deps, setHeader)
    const { response: providerResponse, device_name: deviceName } = body
    const signInResult = await signIn.signInWithProvider(deps, request, {
      providerId: params.id,
      response: providerResponse,
      deviceName,
    })
    return 'secondFactorNeeded' in signInResult
      ? signInResult.secondFactorNeeded
      : setCookieAndGetTokens(deps, setHeader, signInResult)
  }),
  defineRoute(calls.listIdentities, (context) => signIn.listIdentities(context)),
  defineRoute(calls.linkIdentity, ({ body, ...context }) => {
    setProviderCookie(context.deps, context.setHeader)
    return signIn.linkIdentity(context, { providerId: body.provider_id, response: body.response })
  }),
  defineRoute(calls.unlinkIdentity, ({ params, ...context }) => signIn.unlinkIdentity(context, params.id)),
  defineRoute(admin.listIdentityProviders, ({ deps }) => providers.listIdentityProviders(deps)),
  defineRoute(admin.changeIdentityProviders, ({ body, ...context }) =>
    providers.changeIdentityProviders(context, body.providers, body.version),
  ),
  defineRoute(admin.testIdentityProvider, ({ params, ...context }) =>
    providers.testIdentityProvider(context, params.id),
  ),
]
