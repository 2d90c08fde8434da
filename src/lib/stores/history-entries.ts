/**
 * A history entry belongs to the profile that opened it, because its URL may contain a search or a title of this
 * profile. When Back or Forward leads to an entry of another profile, the home page opens instead.
 * page-scripts/inline/boot.ts does the same for an entry that the browser loads as a new document.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { loadStoredUser } from '../client/stored-session.ts'
import { getEntryProfileId, isEntryOfOtherProfile } from '../history-entry.ts'
import { getCurrentLocale } from '../i18n/t.ts'
import { href, splitLocale } from '../routes.ts'
import { readActingProfileId } from '../storage.ts'
import { $profileId } from './profile.ts'
import { $user } from './session.ts'

export const isOnProfilePicker = () => splitLocale(location.pathname).path.startsWith('/profiles')

/**
 * Marks the current history entry as opened by the acting profile. Does nothing on the profile picker, which belongs to
 * no profile.
 */
export function recordEntryProfile(): void {
  if (!isOnProfilePicker()) replaceHistoryEntry(location.href)
}

function replaceHistoryEntry(url: string): void {
  // The Astro router needs index, scrollX and scrollY, but sets them only on an entry without a state.
  const entryState = {
    index: 0,
    scrollX: 0,
    scrollY: 0,
    ...(history.state as object),
    profile: $profileId.get(),
  }
  history.replaceState(entryState, '', url)
}

/**
 * Marks the current history entry as opened by the acting profile, unless a profile has opened it before. For example,
 * a fragment link (`#cast`) adds an entry without a profile.
 */
export function recordMissingEntryProfile(): void {
  if (!getEntryProfileId()) recordEntryProfile()
}

/**
 * When the user opens another page, marks the current entry with the acting profile, unless a profile has opened the
 * entry before. When Back or Forward leads to an entry of another profile, opens the home page instead.
 */
function handleNavigation(event: Event): void {
  const preparationEvent = event as TransitionBeforePreparationEvent
  if (preparationEvent.navigationType !== 'traverse') {
    recordMissingEntryProfile()
  } else if (isEntryOfOtherProfile($profileId.get())) {
    replaceHistoryEntry(href('home', getCurrentLocale()))
    // The router has read the URL before this event, so the new URL must be set here.
    preparationEvent.to = new URL(location.href)
  }
}

/**
 * Listens for navigations, to record which profile opened each history entry, and to open the home page instead of an
 * entry of another profile. When the browser restores a page from the back/forward cache, reloads the page in two
 * cases: another profile acts now, or a user has signed in or out in another tab meanwhile. Otherwise calls
 * `onRestore`. Returns the function that stops listening.
 */
export function listenToHistory(onRestore: () => void): () => void {
  const handlePageShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    const isOtherUser = loadStoredUser()?.user_id !== $user.get()?.user_id
    if (isOtherUser || isEntryOfOtherProfile($profileId.get()) || readActingProfileId() !== $profileId.get())
      location.reload()
    else onRestore()
  }
  document.addEventListener('astro:before-preparation', handleNavigation, { capture: true })
  addEventListener('pageshow', handlePageShow)
  return () => {
    document.removeEventListener('astro:before-preparation', handleNavigation, { capture: true })
    removeEventListener('pageshow', handlePageShow)
  }
}
