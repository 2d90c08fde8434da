/** Reads ratings of any scale, and infers the scale of a column from its values. */

/** A rating. The scale is set if the text itself contains it: `8/10`, `85 %`, `★★★½`. */
interface ParsedRating {
  value: number
  scale?: number
}

const MAX_RATING_LENGTH = 20
/**
 * Possible scales of a column whose name states no scale. The scale is the smallest of these that is not below the
 * highest value of the column.
 */
const RATING_SCALES = [5, 10, 20, 100] as const

/**
 * Parses a rating. Returns null for a text that is no rating, such as an age rating or a dash, and for 0, which means
 * "not rated".
 */
export function parseRating(text: string): ParsedRating | null {
  if (text === '' || text.length > MAX_RATING_LENGTH) return null
  const compactText = text.replace(/\s/g, '')
  const starCount = [...compactText.matchAll(/[★⭐]/gu)].length
  if (starCount > 0) return { value: starCount + (compactText.includes('½') ? 0.5 : 0), scale: 5 }
  const match = /^(-?\d{1,3}(?:[.,]\d{1,2})?)(?:\/(\d{1,3})|(%))?$/.exec(compactText)
  if (!match) return null
  const value = Number(match[1]!.replace(',', '.'))
  const scale = match[3] ? 100 : Number(match[2] ?? 0)
  if (value === 0) return null
  return scale > 0 ? { value, scale } : { value }
}

/** Collects the ratings of a file, and then infers their scale. */
export class RatingScaleSurvey {
  #highestValue = 0

  addRating(text: string): void {
    const rating = parseRating(text)
    if (rating && rating.scale === undefined) this.#highestValue = Math.max(this.#highestValue, rating.value)
  }

  inferScale(): number {
    return RATING_SCALES.find((scale) => this.#highestValue <= scale) ?? 100
  }
}

/**
 * Converts a rating to the scale from 0 to 10. `defaultScale` applies to a rating without a scale. Returns null if the
 * rating is outside its scale.
 */
export function scaleRating({ value, scale }: ParsedRating, defaultScale: number): number | null {
  const effectiveScale = scale ?? defaultScale
  if (value < 0 || value > effectiveScale) return null
  return Math.round((value * 1_000) / effectiveScale) / 100
}
