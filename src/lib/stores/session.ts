/** The signed-in user. The session starts with the first listener. */
import { atom, computed, onMount } from 'nanostores'
import { clearSession, onSessionChange, startSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import { pendingSignOut, storeUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
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

/** Signs this device out in all tabs. If the server cannot be reached, the sign-out is repeated later. */
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

export async function updateUser(userChange: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  const user = await callApi(auth.updateUser, { body: userChange })
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}
