import { expect, test } from 'vitest'
import { getMostFrequentType } from '../../src/lib/rules/genres.ts'

const movie = { type: 'movie' as const }
const series = { type: 'tv' as const }

test('a row that contains only series has the type tv', () => {
  expect(getMostFrequentType([series, series, series])).toBe('tv')
})

test('a row with movies and series has the type of most of its titles', () => {
  expect(getMostFrequentType([movie, series, series])).toBe('tv')
  expect(getMostFrequentType([series, movie, movie])).toBe('movie')
})

test('a row with as many movies as series has the type movie', () => {
  expect(getMostFrequentType([series, movie])).toBe('movie')
})
