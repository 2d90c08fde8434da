/** Applies changed preferences to the stores of the user and of the profiles, without a request. */
import { loadStoredUser, storeUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
import type { Profile } from '../contract/profiles.ts'
import { $profiles } from './profile.ts'
import { $session } from './session.ts'

/**
 * Stores and displays new data of the signed-in user. Does nothing if this user has signed out or another user has
 * signed in meanwhile, possibly in another tab.
 */
export function setSignedInUser(user: User): void {
  if (loadStoredUser()?.user_id !== user.user_id) return
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}

/** Returns whether `preferences` contains all values of `changes`. Compares JSON, because some values are lists. */
const containsAllValues = (preferences: object, changes: object) =>
  JSON.stringify({ ...preferences, ...changes }) === JSON.stringify(preferences)

/** Applies preferences of an account. Does nothing when another user is signed in. */
export function applyAccountPreferences(userId: string, preferences: Partial<User['preferences']>): void {
  const session = $session.get()
  if (session.status !== 'signed-in' || session.user.user_id !== userId) return
  if (containsAllValues(session.user.preferences, preferences)) return
  setSignedInUser({ ...session.user, preferences: { ...session.user.preferences, ...preferences } })
}

/** Applies preferences of a profile. Does nothing when the account has no such profile. */
export function applyProfilePreferences(
  profileId: string,
  preferences: Partial<Profile['preferences']>,
): void {
  const profiles = $profiles.get() ?? []
  const profile = profiles.find(({ profile_id }) => profile_id === profileId)
  if (!profile || containsAllValues(profile.preferences, preferences)) return
  const changedProfile = { ...profile, preferences: { ...profile.preferences, ...preferences } }
  $profiles.set(profiles.map((listedProfile) => (listedProfile === profile ? changedProfile : listedProfile)))
}
