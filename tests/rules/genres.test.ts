import { expect, test } from 'vitest'
import { getMostFrequentType } from '../../src/lib/rules/genres.ts'

const movie = { type: 'movie' as const }
const series = { type: 'tv' as const }

test('a row of series belongs to the series, because genres such as Kids have no movies', () => {
  expect(getMostFrequentType([series, series, series])).toBe('tv')
})

test('a row of both types belongs to the type of most of its titles', () => {
  expect(getMostFrequentType([movie, series, series])).toBe('tv')
  expect(getMostFrequentType([series, movie, movie])).toBe('movie')
})

test('a row with as many movies as series belongs to the movies', () => {
  expect(getMostFrequentType([series, movie])).toBe('movie')
})
