/** The session of this tab: an access token in memory, refreshed before it expires. */

import type { AuthTokens, User } from '../contract/auth.ts'
import { logoutUser, refreshTokens } from '../contract/auth.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { SESSION_REFRESH_TIMEOUT_MS } from '../refresh-timeout.ts'
import { SESSION_REFRESH_LOCK } from '../storage-keys.ts'
import { takeBootRefreshResponse } from './boot.ts'
import { isOffline, reportReachability } from './connectivity.ts'
import { createNetworkError } from './errors.ts'
import { clearStoredUser, endedLogin, loadStoredUser, pendingSignOut, storeUser } from './stored-session.ts'

/** The token is refreshed this long before it expires. */
const REFRESH_LEAD_MS = 60_000
const MAX_REFRESH_ATTEMPTS = 3
/** Delay after which the session is refreshed again if the server could not be reached. */
const OFFLINE_RETRY_DELAY_MS = 15_000
/**
 * If a refresh gets no response within this time, the last user sees cached data until the response arrives. Writes
 * wait for the response.
 */
const SLOW_REFRESH_MS = 4_000

export interface Session {
  /** Access token. Empty until the server responds; the last user sees cached data until then. */
  token: string
  user: User
}
type SessionListener = (session: Session | null) => void

let session: Session | null = null
let refreshAtMs = 0
let refreshTimer: ReturnType<typeof setTimeout> | undefined
let runningRefreshPromise: Promise<boolean> | null = null
let hasSlowRefresh = false
let sessionStartPromise: Promise<boolean> | null = null
const listeners = new Set<SessionListener>()

/**
 * Calls `listener` on every change of the session, and immediately when there is a session. Returns the function that
 * unsubscribes.
 */
export function onSessionChange(listener: SessionListener): () => void {
  listeners.add(listener)
  if (session) listener(session)
  return () => listeners.delete(listener)
}

/**
 * Refreshes the session once per page load, unless this tab already has a session. Resolves to true when a user is
 * signed in (see `refreshSession`). If the boot script has sent a refresh request, uses the response to that request.
 */
export function startSession(): Promise<boolean> {
  if (session) return Promise.resolve(true)
  sessionStartPromise ??= refreshSession()
  sessionStartPromise.catch(() => {
    sessionStartPromise = null
  })
  return sessionStartPromise
}

/**
 * Returns the access token, refreshed first when it is missing or about to expire; null when signed out. Throws a
 * network error when the refresh returns no token, or the token of another user. When the token is missing and the
 * server cannot be reached, throws without waiting for the refresh.
 */
export async function getAccessToken(): Promise<string | null> {
  if (!session) await startSession()
  if (session && (!session.token || Date.now() >= refreshAtMs)) {
    const refreshPromise = refreshSession()
    if (!session.token && isOffline()) throw createNetworkError()
    // If the refresh returns false although there is a session, another user has signed in. The caller's request
    // belongs to the previous user, so it must not be sent with the new token.
    const isSameUser = await refreshPromise
    if (session && !(isSameUser && session.token)) throw createNetworkError()
  }
  return session?.token ?? null
}

/**
 * Returns true while a refresh has waited for its response longer than SLOW_REFRESH_MS. The response may still arrive.
 */
export const isRefreshSlow = () => hasSlowRefresh

/**
 * Returns whether the session of this tab belongs to another user than `userId`, as after a sign-in in another tab.
 * Returns false without a session.
 */
export const isSessionOfOtherUser = (userId: string) => session !== null && session.user.user_id !== userId

/**
 * Starts a session with the reply of sign-in, registration or refresh. The time of the next refresh is computed from
 * the lifetime of the token. An expiry date would have to be compared with the clock of the device, which may be wrong.
 */
export function startSessionWithTokens(tokens: AuthTokens): void {
  const refreshDelayMs = tokens.expires_in * 1000 - REFRESH_LEAD_MS
  refreshAtMs = Date.now() + refreshDelayMs
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void refreshSession(), Math.max(5_000, refreshDelayMs))
  // The new session has replaced the cookie. A pending sign-out would now end the new session instead of the old one.
  pendingSignOut.clear()
  storeUser(tokens.user)
  setSession({ token: tokens.access_token, user: tokens.user })
}

export function clearSession(): void {
  clearTimeout(refreshTimer)
  clearStoredUser()
  setSession(null)
}

function setSession(newSession: Session | null): void {
  session = newSession
  for (const listener of listeners) listener(newSession)
}

/**
 * Refreshes the session. Concurrent calls share one request, and tabs refresh one after the other. Returns true when a
 * user is signed in afterwards. Returns false when nobody is signed in, and when the new session belongs to another
 * user than the previous session.
 */
export function refreshSession(): Promise<boolean> {
  if (runningRefreshPromise) return runningRefreshPromise
  const slowRefreshTimer = setTimeout(() => {
    hasSlowRefresh = true
    const user = loadStoredUser()
    if (!session && user) setSession({ token: '', user })
  }, SLOW_REFRESH_MS)
  runningRefreshPromise = runWithRefreshLock(requestRefresh).finally(() => {
    clearTimeout(slowRefreshTimer)
    hasSlowRefresh = false
    runningRefreshPromise = null
  })
  return runningRefreshPromise
}

function runWithRefreshLock(refreshTask: () => Promise<boolean>): Promise<boolean> {
  return globalThis.navigator?.locks
    ? navigator.locks.request(SESSION_REFRESH_LOCK, refreshTask)
    : refreshTask()
}

/**
 * Requests new tokens and starts a session with them. Repeats the request after a temporary failure. Of the
 * error responses, only 401 ends the session (docs/security.md, decision 3). Every other error response may come from a
 * proxy instead of this server, so the session continues.
 */
async function requestRefresh(): Promise<boolean> {
  const previousSession = session
  for (let attempt = 0; attempt < MAX_REFRESH_ATTEMPTS; attempt++) {
    const tokensOrStatus = await fetchTokens()
    const isRejected = tokensOrStatus === 401
    reportReachability(isRejected || typeof tokensOrStatus === 'object')
    if (typeof tokensOrStatus === 'object') return applyTokens(tokensOrStatus)
    if (isRejected) {
      // A user has signed in since the request was sent, so the response does not apply to the new session.
      if (session?.token && session !== previousSession)
        return !previousSession || !isSessionOfOtherUser(previousSession.user.user_id)
      // The server has rejected the cookie, so the session of a pending sign-out has ended and needs no sign-out.
      pendingSignOut.clear()
      // A sign-out on this device has removed the stored user already. Otherwise the login has expired or was ended
      // elsewhere, and the sign-in page says so.
      if (loadStoredUser()) endedLogin.set()
      clearSession()
      return false
    }
    const isWorthRetrying = tokensOrStatus
      ? tokensOrStatus >= 500 || tokensOrStatus === 429
      : !attempt && navigator.onLine !== false
    if (!isWorthRetrying) break
    await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt))
  }
  return continueOffline()
}

async function applyTokens(tokens: AuthTokens): Promise<boolean> {
  if (pendingSignOut.get()) {
    await sendPendingSignOut()
    clearSession()
    return false
  }
  const isOtherUser = isSessionOfOtherUser(tokens.user.user_id)
  startSessionWithTokens(tokens)
  return !isOtherUser
}

/** Repeats a sign-out that has not reached the server. */
export async function sendPendingSignOut(): Promise<void> {
  const response = await postWithCookie(logoutUser).catch(() => null)
  if (response?.ok) pendingSignOut.clear()
}

/**
 * Handles a server that cannot be reached. The session continues or, if there is none, a session without a token
 * starts for the last user. Schedules another refresh and returns true. If there is neither a session nor a last
 * user, returns false.
 */
function continueOffline(): boolean {
  reportReachability(false)
  const user = session?.user ?? loadStoredUser()
  if (!user) {
    clearSession()
    return false
  }
  refreshAtMs = Math.max(refreshAtMs, Date.now() + OFFLINE_RETRY_DELAY_MS)
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void refreshSession(), OFFLINE_RETRY_DELAY_MS)
  if (!session) setSession({ token: '', user })
  return true
}

/**
 * Returns the tokens, or the HTTP status of a response without tokens. Returns 1 after a timeout, which is
 * not retried, and 0 when no complete response arrived for another reason.
 */
async function fetchTokens(): Promise<AuthTokens | number> {
  try {
    const response = await (takeBootRefreshResponse() ?? postWithCookie(refreshTokens))
    const tokens = response.ok ? ((await response.json()) as Partial<AuthTokens> | null) : null
    return tokens?.access_token ? (tokens as AuthTokens) : response.status
  } catch (error) {
    return (error as Error).name === 'TimeoutError' ? 1 : 0
  }
}

/** Calls an endpoint that finds the session in the cookie. */
const postWithCookie = ({ base, path }: Endpoint) =>
  fetch(base + path, {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(SESSION_REFRESH_TIMEOUT_MS),
  })
