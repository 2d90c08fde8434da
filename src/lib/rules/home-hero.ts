/** The hero title of the home page, and the part of the first screen that the device stores. */

const DAY_MS = 86_400_000

/** The hero that the device stores. On the same day, the home page shows the stored hero before it sends a request. */
export interface StoredHero<Card> {
  profile: string
  kids: boolean
  /** Number of days since 1970. */
  day: number
  media: Card
  row?: StoredHomeRow | undefined
}

/** The part of the first row of the home page that is drawn before the islands are loaded. */
export interface StoredHomeRow {
  row: 'continue' | 'picks' | 'movies'
  cards: { title: string; imagePath: string | null }[]
}

/** Number of the current day since 1970, in UTC. */
export const getCurrentDayNumber = (nowMs = Date.now()): number => Math.floor(nowMs / DAY_MS)

/** Returns one of the first five titles, a different one each day; undefined for an empty list. */
export function getTitleOfTheDay<T>(titles: readonly T[], day = getCurrentDayNumber()): T | undefined {
  return titles[day % Math.min(5, titles.length || 1)]
}
