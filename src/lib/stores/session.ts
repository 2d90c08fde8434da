/** The signed-in user. The first listener of `$session` starts the session. */
import { atom, computed, onMount } from 'nanostores'
import { clearSession, onSessionChange, refreshSession, startSession } from '../client/auth.ts'
import { loadStoredUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
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
  addEventListener('storage', syncSessionWithStoredUser)
  return () => removeEventListener('storage', syncSessionWithStoredUser)
})

/**
 * Ends the session of this tab after a sign-out in another tab. Refreshes the session after another user has signed in
 * in another tab.
 */
function syncSessionWithStoredUser({ key }: StorageEvent): void {
  const storedUser = loadStoredUser()
  if (key !== USER_KEY || storedUser?.user_id === $user.get()?.user_id) return
  if (storedUser) void refreshSession()
  else clearSession()
}
