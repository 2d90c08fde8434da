import { perProfile } from './per-profile.ts'

/** Number of known changes of named lists. The page of a list, which does not use the read cache, reloads when it increases. */
export const $namedListsVersion = perProfile<number>(() => 0)
export const markListsChanged = () => $namedListsVersion.set($namedListsVersion.get() + 1)
