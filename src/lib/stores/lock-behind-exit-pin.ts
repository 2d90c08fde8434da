/** Locks the profiles of an account with an exit PIN in this tab. Accounts without an exit PIN do not load this code. */
import { lockBehindExitPin } from '../client/exit-lock.ts'
import { $profiles } from './profile.ts'

export function lockProfilesBehindExitPin(): void {
  const profiles = $profiles.get()
  if (profiles) $profiles.set(lockBehindExitPin(profiles))
}
