/** The wordmark (the site name in the header) is drawn as shapes, so that it needs no font. */
import { expect, test } from 'vitest'
import { drawWordmark } from '../../src/layouts/draw-wordmark.ts'

test('the wordmark draws letters, digits, spaces and hyphens from left to right above a row of dots', () => {
  const wordmark = drawWordmark('Marquee-TV 24')
  const letterPositions = wordmark?.letters.map(({ x }) => x) ?? []
  expect(letterPositions).toHaveLength(13)
  expect(letterPositions).toEqual([...letterPositions].sort((a, b) => a - b))
  expect(wordmark?.dots.at(-1)?.x).toBeLessThan(wordmark?.width ?? 0)
  expect(drawWordmark('MARQUEE')).toEqual(drawWordmark('marquee'))
})

test('no wordmark is drawn for a blank name, or for a name with a character other than A to Z, digits, spaces and hyphens', () => {
  for (const name of ['سينما', 'Ciné', 'A & B', ' ']) expect(drawWordmark(name)).toBeNull()
})
