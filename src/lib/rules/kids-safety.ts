/**
 * Whether a child may be left alone with a title, and the age rating that is shown (Spec §3): from what film boards of
 * several countries say, and from its genres. What is not known counts as unsafe.
 */
import { ageOf } from './age-certificates.ts'
import type { AGE_RATINGS } from './limits.ts'

export interface Certificate {
  /** ISO 3166-1. */
  country: string
  /** As the country's board writes it: `PG-13`, `TP`, `M/12`. */
  certificate: string
}
interface Facts {
  type: 'movie' | 'tv'
  ratings: readonly Certificate[]
  /** Ids of the specification. */
  genres: readonly number[]
  adult: boolean
}

const FAMILY = 10751
const KIDS = 10762
const ANIMATION = 16
/** Horror, Thriller, War & Politics: no certificate makes them safe. */
const NEVER = [27, 53, 10768]
/** The strictest country may say at most this; "parental guidance" counts as 8. */
const STRICTEST = 8
/** One country at least says this or younger, without asking for guidance. */
const YOUNG = 7
/** For what is not made for children: three countries, and none above this. */
const PLAIN_COUNTRIES = 3
const PLAIN_STRICTEST = 6

/**
 * - Adult titles, horror, thrillers and war: unsafe, whatever the boards say.
 * - Every country that rated it counts, and the strictest decides: above 8 is unsafe. One at least must admit 7 or younger.
 * - Family and Kids titles then need one country, Animation two; all others three, none of them above 6.
 */
export function kidsSafety({ ratings, genres, adult }: Facts): boolean {
  if (adult || genres.some((genre) => NEVER.includes(genre))) return false
  const ages = [...agesByCountry(ratings).values()]
  if (ages.length === 0) return false
  const strictest = Math.max(...ages)
  if (strictest > STRICTEST || Math.min(...ages) > YOUNG) return false
  if (genres.includes(FAMILY) || genres.includes(KIDS)) return true
  if (genres.includes(ANIMATION) && ages.length >= 2) return true
  return ages.length >= PLAIN_COUNTRIES && strictest <= PLAIN_STRICTEST
}

/** A country may have rated several releases: the strictest counts. */
function agesByCountry(ratings: readonly Certificate[]): Map<string, number> {
  const ages = new Map<string, number>()
  for (const { country, certificate } of ratings) {
    const age = ageOf(country, certificate)
    if (age !== undefined) ages.set(country, Math.max(age, ages.get(country) ?? 0))
  }
  return ages
}

type AgeRating = (typeof AGE_RATINGS)[number]
/** From which age on which rating holds; the ratings of movies and series differ (Spec §3). */
const STEPS: Record<'movie' | 'tv', [number, AgeRating][]> = {
  movie: [
    [18, '18+'],
    [16, '17+'],
    [11, '13+'],
    [7, '8+'],
    [0, 'All'],
  ],
  tv: [
    [16, '17+'],
    [13, '14+'],
    [8, '8+'],
    [7, '7+'],
    [0, 'All'],
  ],
}

/** The age rating that is shown: the United States', else the middle of all countries'; undefined when none is known. */
export function ageRating(type: 'movie' | 'tv', ratings: readonly Certificate[]): AgeRating | undefined {
  const ages = agesByCountry(ratings)
  const sorted = [...ages.values()].sort((a, b) => a - b)
  const age = ages.get('US') ?? sorted[Math.floor(sorted.length / 2)]
  if (age === undefined) return undefined
  return STEPS[type].find(([from]) => age >= from)?.[1]
}
