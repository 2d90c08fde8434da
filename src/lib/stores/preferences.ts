/**
 * What an account and a profile prefer, kept for later when the network is off. Several changes may be on their way at a time:
 * of each answer, only what was asked for with it is taken.
 */
import { rememberUser } from '../client/remembered.ts'
import type { User } from '../contract/auth.ts'
import type { Profile } from '../contract/profiles.ts'
import { deliver } from './deliver.ts'
import { $profile, $profiles } from './profile.ts'
import { $session } from './session.ts'

/** Throws `ApiError` when the server refuses. */
export async function preferForAccount(preferences: Partial<User['preferences']>): Promise<void> {
  await deliver({ kind: 'user', preferences })
  const session = $session.get()
  if (session.status !== 'signed-in') return
  const user = { ...session.user, preferences: { ...session.user.preferences, ...preferences } }
  rememberUser(user)
  $session.set({ status: 'signed-in', user })
}

/** The same for the acting profile. */
export async function preferForProfile(preferences: Partial<Profile['preferences']>): Promise<void> {
  await deliver({ kind: 'profile', preferences })
  const before = $profile.get()
  if (!before) return
  const profile = { ...before, preferences: { ...before.preferences, ...preferences } }
  $profiles.set(($profiles.get() ?? []).map((one) => (one.profile_id === profile.profile_id ? profile : one)))
}
