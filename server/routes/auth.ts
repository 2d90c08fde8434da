import * as auth from '../../src/lib/contract/auth.ts'
import { validateInvitation } from '../../src/lib/contract/invitations.ts'
import type { WatchStart, WatchWanted } from '../../src/lib/contract/playback.ts'
import type { Deps } from '../deps.ts'
import { viewer } from '../http/caller.ts'
import { cookieName, type RequestInfo } from '../http/request.ts'
import { type Route, route } from '../http/route.ts'
import { Problem } from '../problem.ts'
import { liveLogin } from '../queries/caller.ts'
import { readAccessToken } from '../services/access-token.ts'
import { checkPassword, register, userOf } from '../services/accounts.ts'
import { login, logout, openLogin, refresh, type SignedIn } from '../services/auth.ts'
import { changePassword } from '../services/password-change.ts'
import { readRefreshToken } from '../services/refresh-token.ts'
import { watchStart } from '../services/watch-start.ts'

const COOKIE_MAX_AGE_SECONDS = 30 * 86_400
type SetHeader = (name: string, value: string) => void

function setCookie(
  deps: Deps,
  setHeader: SetHeader,
  value: string,
  maxAgeSeconds = COOKIE_MAX_AGE_SECONDS,
): void {
  const secure = deps.config.publicUrl.protocol === 'https:' ? '; Secure' : ''
  const name = cookieName(deps.config)
  setHeader(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}

function sendTokens(deps: Deps, setHeader: SetHeader, signedIn: SignedIn) {
  setCookie(deps, setHeader, signedIn.refreshToken)
  return signedIn.tokens
}

function sessionIdOf(
  deps: Deps,
  request: RequestInfo,
  refreshTokenInBody: string | undefined,
): string | null {
  const access = request.bearer ? readAccessToken(request.bearer, deps) : null
  const refreshToken = refreshTokenInBody ?? request.refreshToken
  return access?.sid ?? (refreshToken ? (readRefreshToken(deps.keys, refreshToken)?.sid ?? null) : null)
}

/**
 * Starts playback together with a token refresh. A rejection is ignored here: the player repeats the request and then
 * receives the error. The refresh token counts as used only when the client presents the new access token, because
 * this response may still be lost.
 */
async function startPlayback(
  deps: Deps,
  request: RequestInfo,
  { tokens }: SignedIn,
  watchRequest: WatchWanted,
): Promise<WatchStart | undefined> {
  const sessionId = readAccessToken(tokens.access_token, deps)?.sid
  const activeLogin = sessionId && (await liveLogin(deps.database.primary, sessionId, deps.now()))
  if (!activeLogin) return undefined
  try {
    return await watchStart(deps, await viewer(activeLogin, request, deps), watchRequest)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

export const authRoutes: Route[] = [
  route(auth.login, async ({ body, deps, request, setHeader }) =>
    sendTokens(deps, setHeader, await login(deps, request, body)),
  ),
  route(auth.register, async ({ body, caller, deps, request, setHeader }) => {
    const account = await register(deps, request, caller.invitation, body)
    return sendTokens(deps, setHeader, await openLogin(deps, request, account, body.device_name, 'register'))
  }),
  route(auth.refresh, async ({ body, deps, request, setHeader }) => {
    const signedIn = await refresh(deps, request, body.refresh_token ?? request.refreshToken)
    const tokens = sendTokens(deps, setHeader, signedIn)
    if (!body.watch) return tokens
    const watch = await startPlayback(deps, request, signedIn, body.watch)
    return { ...tokens, ...(watch && { watch }) }
  }),
  route(auth.logout, async ({ body, deps, request, setHeader }) => {
    await logout(deps, request, sessionIdOf(deps, request, body.refresh_token))
    setCookie(deps, setHeader, '', 0)
    setHeader('Clear-Site-Data', '"cache"')
  }),
  route(validateInvitation, ({ caller: { invitation } }) => ({
    valid: true as const,
    email: invitation.email,
    language: invitation.language as 'en' | 'fr' | 'ar' | null,
    expires_at: new Date(invitation.expires_at).toISOString(),
  })),
  route(auth.me, ({ caller }) => userOf(caller.account)),
  route(auth.changePassword, async ({ body, caller, deps, request }) => {
    checkPassword(body.new_password, 'new_password')
    await changePassword(deps, request, caller, body)
  }),
]
