/**
 * Saves preferences of the account and of the acting profile, even without a network. Several changes can be in
 * progress at the same time. Each change therefore updates only its own preferences, and ignores the other preferences
 * in the reply.
 */
import type { User } from '../contract/auth.ts'
import type { Profile } from '../contract/profiles.ts'
import { applyAccountPreferences, applyProfilePreferences } from './apply-preferences.ts'
import { sendOrQueueWrite } from './lazy-outbox.ts'
import { getWriteOwner } from './pending-writes.ts'

/** Saves preferences of the account. Throws `ApiError` when the server rejects the change. */
export async function saveAccountPreferences(preferences: Partial<User['preferences']>): Promise<void> {
  const owner = getWriteOwner()
  await sendOrQueueWrite({ kind: 'user', preferences })
  if (owner) applyAccountPreferences(owner.accountId, preferences)
}

/** Saves preferences of the acting profile. Throws `ApiError` when the server rejects the change. */
export async function saveProfilePreferences(preferences: Partial<Profile['preferences']>): Promise<void> {
  const owner = getWriteOwner()
  await sendOrQueueWrite({ kind: 'profile', preferences })
  if (owner) applyProfilePreferences(owner.profileId, preferences)
}
