/** Sets the refresh cookie, and the cookie for the sign-in with an identity provider (security.md, decision 2). */

import type { Deps } from '../services/deps.ts'
import { getProviderCookieName, getRefreshCookieName } from './request.ts'

const COOKIE_MAX_AGE_SECONDS = 30 * 86_400
type SetHeader = (name: string, value: string) => void

export function setRefreshCookie(
  deps: Deps,
  setHeader: SetHeader,
  cookieValue: string,
  maxAgeSeconds = COOKIE_MAX_AGE_SECONDS,
): void {
  setCookie(deps, setHeader, { name: getRefreshCookieName(deps.config), value: cookieValue, maxAgeSeconds })
}

/**
 * Sets the cookie that binds the response of an identity provider to this browser. Without a value, deletes the cookie.
 */
export function setProviderCookie(
  deps: Deps,
  setHeader: SetHeader,
  { value, maxAgeSeconds } = { value: '', maxAgeSeconds: 0 },
): void {
  setCookie(deps, setHeader, { name: getProviderCookieName(deps.config), value, maxAgeSeconds })
}

/**
 * Sets a cookie with SameSite=Strict. This strictest value is possible, because only requests from pages of this site
 * need the cookie, not the redirect from an identity provider.
 */
function setCookie(
  { config }: Deps,
  setHeader: SetHeader,
  {
    name: cookieName,
    value: cookieValue,
    maxAgeSeconds,
  }: { name: string; value: string; maxAgeSeconds: number },
): void {
  const secureAttribute = config.publicUrl.protocol === 'https:' ? '; Secure' : ''
  setHeader(
    'Set-Cookie',
    `${cookieName}=${cookieValue}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secureAttribute}`,
  )
}

/** Sets the refresh cookie of a new or continued login and returns the response body. */
export function setCookieAndGetTokens<Tokens>(
  deps: Deps,
  setHeader: SetHeader,
  newSession: { tokens: Tokens; refreshToken: string },
): Tokens {
  setRefreshCookie(deps, setHeader, newSession.refreshToken)
  return newSession.tokens
}
