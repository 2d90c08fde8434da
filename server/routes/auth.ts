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

const COOKIE_MAX_AGE = 30 * 86_400
type Header = (name: string, value: string) => void

function setCookie(deps: Deps, header: Header, value: string, maxAge = COOKIE_MAX_AGE): void {
  const secure = deps.config.publicUrl.protocol === 'https:' ? '; Secure' : ''
  const name = cookieName(deps.config)
  header('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`)
}

function answer(deps: Deps, header: Header, signedIn: SignedIn) {
  setCookie(deps, header, signedIn.refreshToken)
  return signedIn.tokens
}

function sidOf(deps: Deps, request: RequestInfo, token: string | undefined): string | null {
  const access = request.bearer ? readAccessToken(request.bearer, deps) : null
  const refreshToken = token ?? request.refreshToken
  return access?.sid ?? (refreshToken ? (readRefreshToken(deps.keys, refreshToken)?.sid ?? null) : null)
}

/**
 * Beside a refresh: what is refused here the player asks for itself, and is told why. The new token counts as used only
 * once it comes back, since this answer may still be lost.
 */
async function watchAfter(
  deps: Deps,
  request: RequestInfo,
  { tokens }: SignedIn,
  wanted: WatchWanted,
): Promise<WatchStart | undefined> {
  const sid = readAccessToken(tokens.access_token, deps)?.sid
  const login = sid && (await liveLogin(deps.database.primary, sid, deps.now()))
  if (!login) return undefined
  try {
    return await watchStart(deps, await viewer(login, request, deps), wanted)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

export const authRoutes: Route[] = [
  route(auth.login, async ({ body, deps, request, header }) =>
    answer(deps, header, await login(deps, request, body)),
  ),
  route(auth.register, async ({ body, caller, deps, request, header }) => {
    const account = await register(deps, request, caller.invitation, body)
    return answer(deps, header, await openLogin(deps, request, account, body.device_name, 'register'))
  }),
  route(auth.refresh, async ({ body, deps, request, header }) => {
    const signedIn = await refresh(deps, request, body.refresh_token ?? request.refreshToken)
    const tokens = answer(deps, header, signedIn)
    if (!body.watch) return tokens
    const watch = await watchAfter(deps, request, signedIn, body.watch)
    return { ...tokens, ...(watch && { watch }) }
  }),
  route(auth.logout, async ({ body, deps, request, header }) => {
    await logout(deps, request, sidOf(deps, request, body.refresh_token))
    setCookie(deps, header, '', 0)
    header('Clear-Site-Data', '"cache"')
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
