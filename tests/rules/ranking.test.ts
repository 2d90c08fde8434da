import { expect, test } from 'vitest'
import { estimatePopularity } from '../../src/lib/rules/ranking.ts'

const estimatePopularityInYear = (releaseYear: number | null, currentYear: number) =>
  estimatePopularity({ rating: 7, voteCount: 1000, year: releaseYear }, Date.UTC(currentYear, 5))

test('with equal ratings and votes, the popularity of a title depends only on its age, and decreases with its age', () => {
  expect(estimatePopularityInYear(2030, 2030)).toBe(estimatePopularityInYear(2026, 2026))
  expect(estimatePopularityInYear(2026, 2030)).toBeLessThan(estimatePopularityInYear(2026, 2026))
  expect(estimatePopularityInYear(2027, 2030)).toBeLessThan(estimatePopularityInYear(2030, 2030))
})

test('a title of a future year counts as new, and a title of an unknown year counts as 40 years old', () => {
  expect(estimatePopularityInYear(2032, 2030)).toBe(estimatePopularityInYear(2030, 2030))
  expect(estimatePopularityInYear(null, 2030)).toBe(estimatePopularityInYear(1990, 2030))
})
