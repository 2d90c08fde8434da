/** Which title is the hero of the home page, and what the device stores of the first screen. */

const DAY_MS = 86_400_000

/** The hero as it is stored on the device, to be shown before any request on the same day. */
export interface StoredHero<Card> {
  profile: string
  kids: boolean
  /** Number of days since 1970. */
  day: number
  media: Card
  row?: StoredRow | undefined
}

/** The first row of the home page, as far as it is drawn before the islands are loaded. */
export interface StoredRow {
  row: 'continue' | 'picks' | 'movies'
  cards: { title: string; imagePath: string | null }[]
}

/** Number of the current day since 1970, in UTC. */
export const getCurrentDay = (nowMs = Date.now()): number => Math.floor(nowMs / DAY_MS)

/** Returns one of the first five titles, a different one every day; undefined for an empty list. */
export function getTitleOfTheDay<T>(titles: readonly T[], day = getCurrentDay()): T | undefined {
  return titles[day % Math.min(5, titles.length || 1)]
}
