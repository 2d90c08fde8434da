import { perProfile } from './per-profile.ts'

/** Number of known changes of named lists. When it increases, the page of a list reloads its titles. */
export const $namedListsVersion = perProfile<number>(() => 0)
export const markListsChanged = () => $namedListsVersion.set($namedListsVersion.get() + 1)
