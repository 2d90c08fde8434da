/**
 * Saves preferences of the account and of the acting profile, even without a network. Several changes can be in progress at
 * the same time. Each change therefore updates only its own preferences, and ignores the other preferences in the reply.
 */
import { storeUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
import type { Profile } from '../contract/profiles.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { $profile, $profiles } from './profile.ts'
import { $session } from './session.ts'

/** Saves preferences of the account. Throws `ApiError` when the server rejects the change. */
export async function saveAccountPreferences(preferences: Partial<User['preferences']>): Promise<void> {
  await sendOrQueueWrite({ kind: 'user', preferences })
  const session = $session.get()
  if (session.status !== 'signed-in') return
  const user = { ...session.user, preferences: { ...session.user.preferences, ...preferences } }
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}

/** Saves preferences of the acting profile. Throws `ApiError` when the server rejects the change. */
export async function saveProfilePreferences(preferences: Partial<Profile['preferences']>): Promise<void> {
  const profileId = $profile.get()?.profile_id
  await sendOrQueueWrite({ kind: 'profile', preferences })
  $profiles.set(
    ($profiles.get() ?? []).map((profile) =>
      profile.profile_id === profileId
        ? { ...profile, preferences: { ...profile.preferences, ...preferences } }
        : profile,
    ),
  )
}
