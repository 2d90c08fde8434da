import { expect, test } from 'vitest'
import { estimatePopularity } from '../../src/lib/rules/ranking.ts'

const estimateInYear = (releaseYear: number | null, currentYear: number) =>
  estimatePopularity({ rating: 7, voteCount: 1000, year: releaseYear }, Date.UTC(currentYear, 5))

test('with equal ratings and votes, the popularity of a title depends only on its age, and decreases with its age', () => {
  expect(estimateInYear(2030, 2030)).toBe(estimateInYear(2026, 2026))
  expect(estimateInYear(2026, 2030)).toBeLessThan(estimateInYear(2026, 2026))
  expect(estimateInYear(2027, 2030)).toBeLessThan(estimateInYear(2030, 2030))
})

test('a title of a future year counts as new, and a title of an unknown year counts as 40 years old', () => {
  expect(estimateInYear(2032, 2030)).toBe(estimateInYear(2030, 2030))
  expect(estimateInYear(null, 2030)).toBe(estimateInYear(1990, 2030))
})
