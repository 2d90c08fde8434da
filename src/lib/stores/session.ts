/** The signed-in user. The session starts with the first listener. */
import { atom, computed, onMount } from 'nanostores'
import { clearSession, onSessionChange, refreshSession, startSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { loadStoredUser, pendingSignOut, storeUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
import * as auth from '../contract/auth.ts'
import { USER_KEY } from '../storage-keys.ts'

export type SessionState =
  | { status: 'pending' }
  | { status: 'anonymous' }
  | { status: 'signed-in'; user: User }

export const $session = atom<SessionState>({ status: 'pending' })
export const $user = computed($session, (session) => (session.status === 'signed-in' ? session.user : null))

onSessionChange((session) =>
  $session.set(session ? { status: 'signed-in', user: session.user } : { status: 'anonymous' }),
)

onMount($session, () => {
  void startSession()
  addEventListener('storage', followStoredUser)
  return () => removeEventListener('storage', followStoredUser)
})

/** Follows another tab of this browser in which somebody signed out, or another user signed in. */
function followStoredUser({ key }: StorageEvent): void {
  const storedUser = loadStoredUser()
  if (key !== USER_KEY || storedUser?.user_id === $user.get()?.user_id) return
  if (storedUser) void refreshSession()
  else clearSession()
}

/** Signs this device out in all tabs. If the server does not confirm the sign-out, it is repeated later. */
export async function signOut(): Promise<void> {
  await callApi(auth.logoutUser, { body: {} }).catch(pendingSignOut.set)
  clearSession()
}

export async function updateUser(userChange: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  const user = await callApi(auth.updateUser, { body: userChange })
  // Another user has signed in in another tab, and this tab follows.
  if (loadStoredUser()?.user_id !== user.user_id) return
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}
