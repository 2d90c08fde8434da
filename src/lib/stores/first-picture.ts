/** Home's large picture of today, kept on this device: the boot script (boot.js) draws it before anything is asked. */
import type { MediaCard } from '../contract/media.ts'
import { $profile } from './profile.ts'
import { $session } from './session.ts'

const KEY = 'marquee-first'
const DAY_MS = 86_400_000

/** One title a day from the most popular ones, so that home is not the same poster for ever. */
export function titleOfTheDay(titles: readonly MediaCard[]): MediaCard | undefined {
  return titles[today() % Math.min(5, titles.length || 1)]
}

/** Not of a locked profile: its home is nobody's to see before its PIN was entered. */
export function keepFirstPicture(titles: readonly MediaCard[]): void {
  const profile = $profile.get()
  const media = titleOfTheDay(titles)
  if (!profile || !media) return
  if (profile.locked) {
    forget()
    return
  }
  const kept = { profile: profile.profile_id, kids: profile.kids, day: today(), media }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    /* Full or forbidden: the picture comes a little later. */
  }
}

const today = () => Math.floor(Date.now() / DAY_MS)
const forget = () => globalThis.localStorage?.removeItem(KEY)

$session.listen(({ status }) => {
  if (status === 'anonymous') forget()
})
