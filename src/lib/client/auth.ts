/** The session of this tab: an access token in memory, refreshed before it expires (Spec §4 and §9). */

import type { AuthTokens, User } from '../contract/auth.ts'
import { logoutUser, refreshTokens } from '../contract/auth.ts'
import { REFRESH_LOCK } from '../storage-keys.ts'
import { takeBootRefresh } from './boot.ts'
import { reportReachability } from './connectivity.ts'
import { clearStoredUser, loadStoredUser, pendingSignOut, storeUser } from './stored-session.ts'

/** The token is refreshed this long before it expires. */
const REFRESH_EARLY_MS = 60_000
const MAX_REFRESH_ATTEMPTS = 3
/** Delay between refresh attempts while the server cannot be reached. */
const OFFLINE_RETRY_MS = 15_000

export interface Session {
  /** Access token. Empty while the server cannot be reached; the last user then sees cached data. */
  token: string
  user: User
}
type SessionListener = (session: Session | null) => void

let session: Session | null = null
let refreshAtMs = 0
let refreshTimer: ReturnType<typeof setTimeout> | undefined
let refreshInProgress: Promise<boolean> | null = null
let sessionStart: Promise<boolean> | null = null
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

/** Refreshes the session once per page load. Uses the refresh request of the boot script when it sent one. */
export function startSession(): Promise<boolean> {
  sessionStart ??= session ? Promise.resolve(true) : refreshSession()
  return sessionStart
}

/** Returns the access token, refreshed first when it is about to expire. Null when signed out or offline. */
export async function getAccessToken(): Promise<string | null> {
  if (!session) await startSession()
  if (session && Date.now() >= refreshAtMs) await refreshSession()
  return session?.token || null
}

/**
 * Starts a session with the reply of sign-in, registration or refresh. The expiry is computed from the lifetime of the
 * token, because the clock of the device may be wrong.
 */
export function startSessionWithTokens(tokens: AuthTokens): void {
  const { exp, iat } = decodeClaims(tokens.access_token)
  const lifetimeMs = exp && iat ? (exp - iat) * 1000 : tokens.expires_in * 1000
  refreshAtMs = Date.now() + lifetimeMs - REFRESH_EARLY_MS
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void refreshSession(), Math.max(5_000, lifetimeMs - REFRESH_EARLY_MS))
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
 * user is signed in afterwards.
 */
export function refreshSession(): Promise<boolean> {
  refreshInProgress ??= runWithRefreshLock(requestRefresh).finally(() => {
    refreshInProgress = null
  })
  return refreshInProgress
}

function runWithRefreshLock(refreshTask: () => Promise<boolean>): Promise<boolean> {
  return globalThis.navigator?.locks ? navigator.locks.request(REFRESH_LOCK, refreshTask) : refreshTask()
}

async function requestRefresh(): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_REFRESH_ATTEMPTS; attempt++) {
    const response = await fetchTokens()
    reportReachability(response !== null)
    if (response?.ok) return applyTokens((await response.json()) as AuthTokens)
    if (response && response.status < 500 && response.status !== 429) {
      clearSession()
      return false
    }
    if (!response && (attempt > 0 || navigator.onLine === false)) break
    await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt))
  }
  return continueOffline()
}

async function applyTokens(tokens: AuthTokens): Promise<boolean> {
  if (pendingSignOut.get()) {
    const headers = { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' }
    const { base, path, method } = logoutUser
    const response = await fetch(`${base}${path}`, { method, headers, credentials: 'include', body: '{}' })
    if (response.ok) pendingSignOut.clear()
    clearSession()
    return false
  }
  startSessionWithTokens(tokens)
  return true
}

/**
 * Handles a server that cannot be reached. The session continues as the last user, without a token, and another refresh
 * is scheduled. If there is no last user, ends the session and returns false.
 */
function continueOffline(): boolean {
  const user = session?.user ?? loadStoredUser()
  if (!user) {
    clearSession()
    return false
  }
  refreshAtMs = Math.max(refreshAtMs, Date.now() + OFFLINE_RETRY_MS)
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(() => void refreshSession(), OFFLINE_RETRY_MS)
  if (!session) setSession({ token: '', user })
  return true
}

async function fetchTokens(): Promise<Response | null> {
  const bootResponse = takeBootRefresh()
  try {
    if (bootResponse) return await bootResponse
    return await fetch(`${refreshTokens.base}${refreshTokens.path}`, {
      method: refreshTokens.method,
      credentials: 'include',
    })
  } catch {
    return null
  }
}

function decodeClaims(token: string): { exp?: number; iat?: number } {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as { exp?: number; iat?: number }
  } catch {
    return {}
  }
}
