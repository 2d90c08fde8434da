/**
 * Computes two properties of a title from its certificates and genres: whether it is safe for kids, and its displayed
 * age rating. The certificates come from several countries. A title without certificates counts as unsafe.
 */
import { getCertificateAge } from './age-certificates.ts'
import type { AgeRating } from './maturity.ts'

export interface CountryCertificate {
  /** ISO 3166-1 country code. */
  country: string
  /** As written by the film board of the country: `PG-13`, `TP`, `M/12`. */
  certificate: string
}
interface KidsSafetyInput {
  certificates: readonly CountryCertificate[]
  /** Genre ids of rules/genres.ts. */
  genres: readonly number[]
  adult: boolean
}

const FAMILY_GENRE_ID = 10751
const KIDS_GENRE_ID = 10762
const ANIMATION_GENRE_ID = 16
/** Horror, Thriller, War & Politics. Titles with one of these genres are unsafe, regardless of their certificates. */
const UNSAFE_GENRE_IDS = [27, 53, 10768]
/** A title is unsafe if its minimum age is above 8 in any country. "Parental guidance" counts as 8. */
const STRICTEST_COUNTRY_MAX_AGE = 8
/** A title is unsafe if its minimum age is above 7 in every country. */
const MILDEST_COUNTRY_MAX_AGE = 7
/** Number of countries that must have rated an animated title with neither the genre Family nor the genre Kids. */
const ANIMATION_MIN_COUNTRIES = 2
/**
 * Stricter limits for titles with none of the genres Family, Kids and Animation: number of countries that must have
 * rated the title, and highest minimum age.
 */
const OTHER_GENRES_MIN_COUNTRIES = 3
const OTHER_GENRES_MAX_AGE = 6

/**
 * Returns whether a title is safe for kids:
 * - Adult titles and the genres Horror, Thriller and War & Politics are unsafe, regardless of certificates.
 * - A minimum age above 8 in any country makes a title unsafe. At least one country must allow age 7 or younger.
 * - A title also needs certificates from enough countries: one for Family and Kids titles, two for Animation titles,
 *   and three for all other titles. For these other titles, no minimum age may be above 6.
 */
export function isSafeForKids({ certificates, genres, adult }: KidsSafetyInput): boolean {
  if (adult || genres.some((genre) => UNSAFE_GENRE_IDS.includes(genre))) return false
  const minimumAges = [...computeAgesByCountry(certificates).values()]
  if (minimumAges.length === 0) return false
  const highestAge = Math.max(...minimumAges)
  if (highestAge > STRICTEST_COUNTRY_MAX_AGE || Math.min(...minimumAges) > MILDEST_COUNTRY_MAX_AGE)
    return false
  if (genres.includes(FAMILY_GENRE_ID) || genres.includes(KIDS_GENRE_ID)) return true
  if (genres.includes(ANIMATION_GENRE_ID) && minimumAges.length >= ANIMATION_MIN_COUNTRIES) return true
  return minimumAges.length >= OTHER_GENRES_MIN_COUNTRIES && highestAge <= OTHER_GENRES_MAX_AGE
}

/** Returns the minimum age by country. When a country rated several releases, the highest age is used. */
function computeAgesByCountry(certificates: readonly CountryCertificate[]): Map<string, number> {
  const agesByCountry = new Map<string, number>()
  for (const { country, certificate } of certificates) {
    const certificateAge = getCertificateAge(country, certificate)
    if (certificateAge !== undefined)
      agesByCountry.set(country, Math.max(certificateAge, agesByCountry.get(country) ?? 0))
  }
  return agesByCountry
}

/**
 * Displayed age ratings, each after the lowest minimum age that it stands for, highest first. Movies and series have
 * different age ratings.
 */
const AGE_RATING_THRESHOLDS: Record<'movie' | 'tv', [number, AgeRating][]> = {
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

/**
 * Returns the displayed age rating: the rating of the United States if there is one, else the median of all
 * countries (for an even number of countries, the higher of the two middle ages). Returns undefined without
 * certificates whose age is known.
 */
export function getDisplayedAgeRating(
  type: 'movie' | 'tv',
  certificates: readonly CountryCertificate[],
): AgeRating | undefined {
  const agesByCountry = computeAgesByCountry(certificates)
  const sortedAges = [...agesByCountry.values()].sort((a, b) => a - b)
  const representativeAge = agesByCountry.get('US') ?? sortedAges[Math.floor(sortedAges.length / 2)]
  if (representativeAge === undefined) return undefined
  return AGE_RATING_THRESHOLDS[type].find(([minimumAge]) => representativeAge >= minimumAge)?.[1]
}
