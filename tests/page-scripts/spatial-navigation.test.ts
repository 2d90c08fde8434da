/** A page of a television: header, hero buttons, two rows of cards, the second one scrolled. */
import { expect, test } from 'vitest'
import { type FocusBox, findNearestBox } from '../../src/page-scripts/spatial-navigation.ts'

const box = (left: number, top: number, width: number, height: number): FocusBox => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const PAGE: Record<string, FocusBox> = {
  logo: box(40, 10, 100, 40),
  movies: box(300, 10, 80, 40),
  bell: box(1700, 10, 40, 40),
  play: box(40, 500, 120, 44),
  info: box(180, 500, 160, 44),
  first: box(40, 700, 200, 300),
  second: box(250, 700, 200, 300),
  third: box(460, 700, 200, 300),
  lowLeft: box(-160, 1060, 200, 300),
  lowMiddle: box(50, 1060, 200, 300),
  lowRight: box(260, 1060, 200, 300),
}
const names = Object.keys(PAGE)

function go(from: string, way: Parameters<typeof findNearestBox>[2]): string | undefined {
  const others = names.filter((name) => name !== from)
  return others[
    findNearestBox(
      PAGE[from] as FocusBox,
      others.map((name) => PAGE[name] as FocusBox),
      way,
    )
  ]
}

test.each([
  ['play', 'ArrowRight', 'info'],
  ['info', 'ArrowLeft', 'play'],
  ['play', 'ArrowDown', 'first'],
  ['info', 'ArrowDown', 'second'],
  ['first', 'ArrowUp', 'play'],
  ['third', 'ArrowUp', 'info'],
  ['play', 'ArrowUp', 'logo'],
  ['logo', 'ArrowRight', 'movies'],
  ['movies', 'ArrowRight', 'bell'],
  ['bell', 'ArrowDown', 'third'],
  ['first', 'ArrowDown', 'lowMiddle'],
  ['second', 'ArrowDown', 'lowRight'],
  ['lowMiddle', 'ArrowLeft', 'lowLeft'],
] as const)('from %s, %s leads to %s', (from, way, to) => expect(go(from, way)).toBe(to))

test.each([
  ['logo', 'ArrowLeft'],
  ['bell', 'ArrowRight'],
  ['logo', 'ArrowUp'],
  ['lowRight', 'ArrowDown'],
  ['lowRight', 'ArrowRight'],
] as const)('from %s there is nothing at %s', (from, way) => expect(go(from, way)).toBeUndefined())

test('every stop can be reached from every other', () => {
  for (const start of names) {
    const seen = new Set([start])
    for (const at of seen)
      for (const way of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const) {
        const next = go(at, way)
        if (next) seen.add(next)
      }
    expect([start, seen.size]).toEqual([start, names.length])
  }
})
