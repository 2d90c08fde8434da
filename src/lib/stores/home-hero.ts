/**
 * The hero title of the home page, stored on the device so that the boot script (boot.js) can draw it before any
 * request.
 */
import type { MediaCard } from '../contract/media.ts'
import { onProfileReset } from './per-profile.ts'
import { $profile } from './profile.ts'

const STORAGE_KEY = 'marquee-first'
const DAY_MS = 86_400_000

/** Returns one of the first five titles, a different one every day. */
export function getTitleOfTheDay(titles: readonly MediaCard[]): MediaCard | undefined {
  return titles[currentDay() % Math.min(5, titles.length || 1)]
}

/** Stores today's hero. Not for a locked profile, whose home page must stay hidden until its PIN is entered. */
export function storeHomeHero(titles: readonly MediaCard[]): void {
  const profile = $profile.get()
  const media = getTitleOfTheDay(titles)
  if (!profile || !media) return
  if (profile.locked) {
    deleteStoredHero()
    return
  }
  const hero = { profile: profile.profile_id, kids: profile.kids, day: currentDay(), media }
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(hero))
  } catch {
    // Storage is full or not available: the hero is drawn later, when its data is loaded.
  }
}

const currentDay = () => Math.floor(Date.now() / DAY_MS)
const deleteStoredHero = () => globalThis.localStorage?.removeItem(STORAGE_KEY)

onProfileReset(deleteStoredHero)
