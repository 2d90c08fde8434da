/** The signed-in user. The session starts with the first listener. */
import { atom, computed, onMount } from 'nanostores'
import { clearSession, onSessionChange, startSession, startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import { pendingSignOut, storeUser } from '../client/stored-session.ts'
import type { AuthTokens, SecondFactorNeeded, User } from '../contract/auth.ts'
import * as auth from '../contract/auth.ts'
import { SESSION_CHANNEL } from '../storage-keys.ts'

export type SessionState =
  | { status: 'pending' }
  | { status: 'anonymous' }
  | { status: 'signed-in'; user: User }

export const $session = atom<SessionState>({ status: 'pending' })
export const $user = computed($session, (session) => (session.status === 'signed-in' ? session.user : null))

let channel: BroadcastChannel | undefined

onSessionChange((session) =>
  $session.set(session ? { status: 'signed-in', user: session.user } : { status: 'anonymous' }),
)

onMount($session, () => {
  void startSession()
  channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.onmessage = ({ data }) => {
    if (data === 'signed-out') clearSession()
  }
  return () => channel?.close()
})

/**
 * Signs in. Returns null, or what the second step needs when the account has a second factor. Throws `ApiError`.
 */
export async function signIn(credentials: {
  email: string
  password: string
}): Promise<SecondFactorNeeded | null> {
  const reply = await callApi(auth.loginUser, { body: credentials })
  if ('sign_in_token' in reply) return reply
  startSignedInSession(reply)
  return null
}

/** Starts the session of a sign-in that has just succeeded. */
export function startSignedInSession(tokens: AuthTokens): void {
  pendingSignOut.clear()
  startSessionWithTokens(tokens)
}

/** Signs this device out in all tabs. Without a network, the server is told at the next refresh. */
export async function signOut(): Promise<void> {
  try {
    await callApi(auth.logoutUser, { body: {} })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) pendingSignOut.set()
    else throw error
  } finally {
    channel?.postMessage('signed-out')
    clearSession()
  }
}

export async function updateUser(change: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  const user = await callApi(auth.updateUser, { body: change })
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}
