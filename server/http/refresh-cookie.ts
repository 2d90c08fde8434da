/** The refresh cookie of a response (security.md, decision 2). */

import type { Deps } from '../services/deps.ts'
import { getRefreshCookieName } from './request.ts'

const COOKIE_MAX_AGE_SECONDS = 30 * 86_400
type SetHeader = (name: string, value: string) => void

export function setRefreshCookie(
  deps: Deps,
  setHeader: SetHeader,
  value: string,
  maxAgeSeconds = COOKIE_MAX_AGE_SECONDS,
): void {
  const secureAttribute = deps.config.publicUrl.protocol === 'https:' ? '; Secure' : ''
  const name = getRefreshCookieName(deps.config)
  setHeader(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secureAttribute}`,
  )
}

/** Sets the refresh cookie of a new or continued login and returns the response body. */
export function sendTokens<Tokens>(
  deps: Deps,
  setHeader: SetHeader,
  signedIn: { tokens: Tokens; refreshToken: string },
): Tokens {
  setRefreshCookie(deps, setHeader, signedIn.refreshToken)
  return signedIn.tokens
}
