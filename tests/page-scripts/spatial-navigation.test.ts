/** Arrow key navigation on a television page: header, hero buttons and two rows of cards, the second one scrolled. */
import { expect, test } from 'vitest'
import { type FocusBox, findNearestBox } from '../../src/page-scripts/spatial-navigation.ts'

const createBox = (left: number, top: number, width: number, height: number): FocusBox => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})
const BOXES_BY_NAME: Record<string, FocusBox> = {
  logo: createBox(40, 10, 100, 40),
  movies: createBox(300, 10, 80, 40),
  bell: createBox(1700, 10, 40, 40),
  play: createBox(40, 500, 120, 44),
  info: createBox(180, 500, 160, 44),
  first: createBox(40, 700, 200, 300),
  second: createBox(250, 700, 200, 300),
  third: createBox(460, 700, 200, 300),
  lowLeft: createBox(-160, 1060, 200, 300),
  lowMiddle: createBox(50, 1060, 200, 300),
  lowRight: createBox(260, 1060, 200, 300),
}
const names = Object.keys(BOXES_BY_NAME)

function findTarget(from: string, key: Parameters<typeof findNearestBox>[2]): string | undefined {
  const otherNames = names.filter((name) => name !== from)
  return otherNames[
    findNearestBox(
      BOXES_BY_NAME[from] as FocusBox,
      otherNames.map((name) => BOXES_BY_NAME[name] as FocusBox),
      key,
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
] as const)('from %s, %s moves to %s', (from, key, to) => expect(findTarget(from, key)).toBe(to))

test.each([
  ['logo', 'ArrowLeft'],
  ['bell', 'ArrowRight'],
  ['logo', 'ArrowUp'],
  ['lowRight', 'ArrowDown'],
  ['lowRight', 'ArrowRight'],
] as const)('from %s, %s has no target', (from, key) => expect(findTarget(from, key)).toBeUndefined())

test('every element can be reached from every other element', () => {
  for (const start of names) {
    const reachedNames = new Set([start])
    for (const name of reachedNames)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const) {
        const next = findTarget(name, key)
        if (next) reachedNames.add(next)
      }
    expect([start, reachedNames.size]).toEqual([start, names.length])
  }
})
