/**
 * The hero and the first row of the home page, stored on the device so that the boot script can draw them before any
 * request.
 */
import type { MediaCard } from '../contract/media.ts'
import { getCurrentDayNumber, getTitleOfTheDay, type StoredHero } from '../rules/home-hero.ts'
import { HOME_HERO_KEY } from '../storage-keys.ts'
import { onProfileReset } from './per-profile.ts'
import { $profile } from './profile.ts'

/**
 * Stores today's hero and the first row. For a profile with a PIN, deletes them instead, because they must stay hidden
 * until the profile is unlocked.
 */
export function storeHomeHero(titles: readonly MediaCard[]): void {
  const profile = $profile.get()
  const media = getTitleOfTheDay(titles)
  if (!profile || !media) return
  if (profile.locked) {
    deleteStoredHero()
    return
  }
  const hero = {
    profile: profile.profile_id,
    kids: profile.kids,
    day: getCurrentDayNumber(),
    media,
    row: globalThis.__boot?.firstRow?.content,
  } satisfies StoredHero<MediaCard>
  try {
    localStorage.setItem(HOME_HERO_KEY, JSON.stringify(hero))
  } catch {
    // Storage is full or not available: the hero is drawn later, when its data is loaded.
  }
}

const deleteStoredHero = () => globalThis.localStorage?.removeItem(HOME_HERO_KEY)

onProfileReset(deleteStoredHero)
