import { setTimeout } from 'node:timers/promises'
import * as account from '../../src/lib/contract/account.ts'
import * as auth from '../../src/lib/contract/auth.ts'
import { validateInvitation } from '../../src/lib/contract/invitations.ts'
import type { Locale } from '../../src/lib/i18n/locales.ts'
import { toErrorFields } from '../core/log.ts'
import { Problem } from '../core/problem.ts'
import type { RequestInfo } from '../core/request-info.ts'
import { setCookieAndGetTokens, setRefreshCookie } from '../http/refresh-cookie.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { registerAccount, requireValidPassword, toUser } from '../services/accounts/accounts.ts'
import { readAccessToken } from '../services/auth/access-token.ts'
import { resolveViewer } from '../services/auth/audience.ts'
import type { SignInResult } from '../services/auth/auth-tokens.ts'
import { findLoginByAccessToken } from '../services/auth/authenticate.ts'
import type { Viewer } from '../services/auth/caller.ts'
import { createLogin } from '../services/auth/create-login.ts'
import { signInWithPassword } from '../services/auth/login.ts'
import { logout } from '../services/auth/logout.ts'
import { changePassword } from '../services/auth/password-change.ts'
import { isAdultProven } from '../services/auth/proof.ts'
import { refreshLogin } from '../services/auth/refresh-login.ts'
import { readRefreshToken } from '../services/auth/refresh-token.ts'
import { loadHomeStart } from '../services/catalogue/home-start.ts'
import type { Deps } from '../services/deps.ts'
import { loadPlaybackStart } from '../services/playback/playback-start.ts'

/**
 * Returns the refresh token of the body, else the refresh token of the cookie; null if there is no refresh token.
 * Throws 401 when the body and the cookie contain different tokens. Otherwise the response could replace the session of
 * the browser with another session.
 */
function findRefreshToken(request: RequestInfo, tokenInBody: string | undefined): string | null {
  if (tokenInBody !== undefined && request.refreshToken !== null && tokenInBody !== request.refreshToken)
    throw new Problem('unauthorized')
  return tokenInBody ?? request.refreshToken
}

function findSessionId(deps: Deps, request: RequestInfo, refreshToken: string | null): string | null {
  const accessClaims = request.bearerToken ? readAccessToken(request.bearerToken, deps) : null
  return accessClaims?.sid ?? (refreshToken ? (readRefreshToken(deps.keys, refreshToken)?.sid ?? null) : null)
}

/**
 * Longest time that a token refresh waits for the start data. The page needs the tokens more urgently than the start
 * data, which it can request itself.
 */
const START_DATA_TIMEOUT_MS = 2_000

/**
 * Loads the start data of a page for the response of a token refresh. Returns undefined when loading fails or takes too
 * long: the page then requests the data itself, and receives the data or the error. Does not mark the new refresh token
 * as received (`findLoginByAccessToken`), because this response may still be lost.
 */
async function loadPageStartData<T>(
  deps: Deps,
  request: RequestInfo,
  { tokens }: SignInResult,
  loadStartData: (viewer: Viewer) => Promise<T>,
): Promise<T | undefined> {
  const loadForLogin = async () => {
    const activeLogin = await findLoginByAccessToken(tokens.access_token, deps)
    return activeLogin ? loadStartData(await resolveViewer(activeLogin, request, deps)) : undefined
  }
  const startDataPromise = loadForLogin().catch((error: unknown) => {
    if (!(error instanceof Problem)) deps.log.warn('page_start', toErrorFields(error))
    return undefined
  })
  const timeoutController = new AbortController()
  const timeoutPromise = setTimeout(START_DATA_TIMEOUT_MS, undefined, {
    signal: timeoutController.signal,
    ref: false,
  })
  const startData = await Promise.race([startDataPromise, timeoutPromise.catch(() => undefined)])
  timeoutController.abort()
  return startData
}

export const authRoutes: Route[] = [
  defineRoute(auth.loginUser, async ({ body, deps, request, setHeader }) =>
    signInWithPassword(deps, request, body).then((signInResult) =>
      'secondFactorNeeded' in signInResult
        ? signInResult.secondFactorNeeded
        : setCookieAndGetTokens(deps, setHeader, signInResult),
    ),
  ),
  defineRoute(auth.registerUser, async ({ body, caller, deps, request, setHeader }) => {
    const account = await registerAccount(deps, request, caller.invitation, body)
    return setCookieAndGetTokens(
      deps,
      setHeader,
      await createLogin(deps, request, account, { deviceName: body.device_name, action: 'register' }),
    )
  }),
  defineRoute(auth.refreshTokens, async ({ body, deps, request, setHeader }) => {
    const refreshToken = findRefreshToken(request, body.refresh_token)
    const newSession = await refreshLogin(deps, request, refreshToken).catch((error: unknown) => {
      const isRejected = error instanceof Problem && error.type === 'unauthorized'
      if (isRejected && request.refreshToken !== null) setRefreshCookie(deps, setHeader, '', 0)
      throw error
    })
    const tokens = setCookieAndGetTokens(deps, setHeader, newSession)
    const { watch: playbackRequest, home: homeRequest } = body
    const playbackStart =
      playbackRequest &&
      (await loadPageStartData(deps, request, newSession, (viewer) =>
        loadPlaybackStart(deps, viewer, playbackRequest),
      ))
    const homeStart =
      homeRequest &&
      (await loadPageStartData(deps, request, newSession, (viewer) =>
        loadHomeStart(deps, viewer, homeRequest),
      ))
    return {
      ...tokens,
      ...(playbackStart && { watch: playbackStart }),
      ...(homeStart && { home: homeStart }),
    }
  }),
  defineRoute(auth.logoutUser, async ({ body, deps, request, setHeader }) => {
    const refreshToken = findRefreshToken(request, body.refresh_token)
    await logout(deps, request, findSessionId(deps, request, refreshToken))
    setRefreshCookie(deps, setHeader, '', 0)
    setHeader('Clear-Site-Data', '"cache"')
  }),
  defineRoute(validateInvitation, ({ caller: { invitation } }) => ({
    valid: true as const,
    email: invitation.email,
    language: invitation.language as Locale | null,
    expires_at: new Date(invitation.expires_at).toISOString(),
  })),
  defineRoute(auth.getCurrentUser, ({ caller }) =>
    toUser(caller.account, { showsEmail: isAdultProven(caller) }),
  ),
  defineRoute(account.changePassword, async ({ body, ...context }) => {
    requireValidPassword(body.new_password, 'new_password')
    await changePassword(context, body)
  }),
]
