/** The session of this tab: an access token in memory, refreshed before it ends (Spec §4 and §9). */

import type { Tokens, User } from '../contract/auth.ts'
import { logout, refresh } from '../contract/auth.ts'
import './boot.ts'
import { reached } from './reach.ts'
import { forgetUser, leftUnheard, rememberedUser, rememberUser } from './remembered.ts'

/** Refreshed this long before `exp`. */
const EARLY_MS = 60_000
const RETRIES = 3
/** How long a session without a network waits before it asks again. */
const AWAY_MS = 15_000

export interface Session {
  /** Empty while the network is off: who was here last looks at what was kept. */
  token: string
  user: User
}
type Listener = (session: Session | null) => void

let session: Session | null = null
let refreshAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let inFlight: Promise<boolean> | null = null
let started: Promise<boolean> | null = null
const listeners = new Set<Listener>()

/** Told of every change of the token, and at once of the one that is here (signing up is heard by nobody). Returns how to stop. */
export function onSession(listener: Listener): () => void {
  listeners.add(listener)
  if (session) listener(session)
  return () => listeners.delete(listener)
}

/** Tries a refresh once per page life; the boot script may have begun it. */
export function startSession(): Promise<boolean> {
  started ??= session ? Promise.resolve(true) : refreshSession()
  return started
}

/** The token to send, refreshed first when it is about to end. Null when nobody is signed in. */
export async function currentToken(): Promise<string | null> {
  if (!session) await startSession()
  if (session && Date.now() >= refreshAt) await refreshSession()
  return session?.token || null
}

/** Stores what login, register or refresh answered. The clock that counts is how long the token lives, not this device's. */
export function storeTokens(tokens: Tokens): void {
  const { exp, iat } = claimsOf(tokens.access_token)
  const lifeMs = exp && iat ? (exp - iat) * 1000 : tokens.expires_in * 1000
  refreshAt = Date.now() + lifeMs - EARLY_MS
  clearTimeout(timer)
  timer = setTimeout(() => void refreshSession(), Math.max(5_000, lifeMs - EARLY_MS))
  rememberUser(tokens.user)
  tell({ token: tokens.access_token, user: tokens.user })
}

export function clearSession(): void {
  clearTimeout(timer)
  forgetUser()
  tell(null)
}

function tell(next: Session | null): void {
  session = next
  for (const listener of listeners) listener(next)
}

/** Refreshes once, however many ask; tabs take turns. True when somebody is signed in after it. */
export function refreshSession(): Promise<boolean> {
  inFlight ??= locked(doRefresh).finally(() => {
    inFlight = null
  })
  return inFlight
}

function locked(work: () => Promise<boolean>): Promise<boolean> {
  return globalThis.navigator?.locks ? navigator.locks.request('marquee-refresh', work) : work()
}

async function doRefresh(): Promise<boolean> {
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    const response = await ask()
    reached(response !== null)
    if (response?.ok) return accept((await response.json()) as Tokens)
    if (response && response.status < 500 && response.status !== 429) {
      clearSession()
      return false
    }
    if (!response && (attempt > 0 || navigator.onLine === false)) break
    await new Promise((resolve) => setTimeout(resolve, 400 * 2 ** attempt))
  }
  return stay()
}

async function accept(tokens: Tokens): Promise<boolean> {
  if (leftUnheard.get()) {
    const headers = { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' }
    const { base, path, method } = logout
    const told = await fetch(`${base}${path}`, { method, headers, credentials: 'include', body: '{}' })
    if (told.ok) leftUnheard.clear()
    clearSession()
    return false
  }
  storeTokens(tokens)
  return true
}

/** The server cannot be asked: whoever was here last stays, without a token, and it is asked again. */
function stay(): boolean {
  const user = session?.user ?? rememberedUser()
  if (!user) {
    clearSession()
    return false
  }
  refreshAt = Math.max(refreshAt, Date.now() + AWAY_MS)
  clearTimeout(timer)
  timer = setTimeout(() => void refreshSession(), AWAY_MS)
  if (!session) tell({ token: '', user })
  return true
}

async function ask(): Promise<Response | null> {
  const early = globalThis.__boot?.refresh
  if (globalThis.__boot) delete globalThis.__boot.refresh
  try {
    if (early) return await early
    return await fetch(`${refresh.base}${refresh.path}`, { method: refresh.method, credentials: 'include' })
  } catch {
    return null
  }
}

function claimsOf(token: string): { exp?: number; iat?: number } {
  try {
    const part = token.split('.')[1] ?? ''
    return JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))) as { exp?: number; iat?: number }
  } catch {
    return {}
  }
}
