/** Arrow key navigation on a television page: header, hero buttons and two rows of cards, the second one scrolled. */
import { expect, test } from 'vitest'
import { createMovementDetector } from '../../src/page-scripts/pointer-movement.ts'
import {
  type ArrowKey,
  type FocusBox,
  type FocusTarget,
  findNextFocus,
} from '../../src/page-scripts/spatial-navigation.ts'

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
const elementNames = Object.keys(BOXES_BY_NAME)

const focusTargets: FocusTarget[] = elementNames.map((name) => ({
  box: BOXES_BY_NAME[name] as FocusBox,
  isInMain: !['logo', 'movies', 'bell'].includes(name),
}))

function findNextElementName(
  startName: string,
  key: ArrowKey,
  isRightToLeft = false,
  changesByName: Record<string, Partial<FocusTarget>> = {},
  shouldWrap = false,
) {
  const changedTargets = focusTargets.map((target, index) => ({
    ...target,
    ...changesByName[elementNames[index] ?? ''],
  }))
  return elementNames[
    findNextFocus(changedTargets, elementNames.indexOf(startName), key, {
      isRightToLeft,
      shouldWrap,
    })
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
  ['bell', 'ArrowDown', 'info'],
  ['first', 'ArrowDown', 'lowMiddle'],
  ['second', 'ArrowDown', 'lowRight'],
  ['lowMiddle', 'ArrowLeft', 'lowLeft'],
] as const)('from the element "%s", the key %s moves the focus to "%s"', (startName, key, targetName) =>
  expect(findNextElementName(startName, key)).toBe(targetName),
)

test.each([
  ['logo', 'ArrowLeft'],
  ['bell', 'ArrowRight'],
  ['logo', 'ArrowUp'],
  ['lowRight', 'ArrowDown'],
  ['lowRight', 'ArrowRight'],
] as const)('from the element "%s", the key %s does not move the focus', (startName, key) =>
  expect(findNextElementName(startName, key)).toBeUndefined(),
)

test('the arrow keys reach every element from every other element', () => {
  for (const startName of elementNames) {
    const reachedNames = new Set([startName])
    for (const name of reachedNames)
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const) {
        const nextName = findNextElementName(name, key)
        if (nextName) reachedNames.add(nextName)
      }
    expect([startName, reachedNames.size]).toEqual([startName, elementNames.length])
  }
})

test('Down moves to the next line of controls, even if the only control of that line is at the far end', () => {
  const changesByName = { bell: { isInMain: true, box: createBox(1700, 560, 40, 40) } }
  expect(findNextElementName('play', 'ArrowDown', false, changesByName)).toBe('bell')
  expect(findNextElementName('bell', 'ArrowDown', false, changesByName)).toBe('third')
})

test('Up and Down move within the current column, even if a control in another column is nearer', () => {
  const linksColumn = createBox(0, 400, 240, 700)
  const contentColumn = createBox(280, 400, 1200, 900)
  const changesByName = {
    play: { columnBox: linksColumn, box: createBox(0, 500, 240, 36) },
    info: { columnBox: linksColumn, box: createBox(0, 700, 240, 36) },
    first: { columnBox: linksColumn, box: createBox(0, 740, 240, 36) },
    second: { columnBox: contentColumn, box: createBox(300, 600, 200, 36) },
    third: { columnBox: contentColumn, box: createBox(300, 900, 200, 36) },
  }
  expect(findNextElementName('second', 'ArrowDown', false, changesByName)).toBe('third')
  expect(findNextElementName('third', 'ArrowUp', false, changesByName)).toBe('second')
  expect(findNextElementName('play', 'ArrowDown', false, changesByName)).toBe('info')
  expect(findNextElementName('second', 'ArrowLeft', false, changesByName)).toBeUndefined()
  expect(findNextElementName('info', 'ArrowDown', false, changesByName)).toBe('first')
  // On narrow screens, the links are above the content, so Up moves to the links.
  const linkInBar = { columnBox: createBox(0, 400, 1480, 60), box: createBox(0, 410, 240, 36) }
  expect(findNextElementName('second', 'ArrowUp', false, { ...changesByName, info: linkInBar })).toBe('info')
})

test('an element that is scrolled out of view is reached only from elements of the same column', () => {
  const linksColumn = createBox(0, 60, 240, 700)
  const changesByName = {
    logo: { columnBox: linksColumn, isInMain: true, box: createBox(0, 10, 240, 36), isClipped: true },
    play: { columnBox: linksColumn, box: createBox(0, 80, 240, 36) },
  }
  expect(findNextElementName('movies', 'ArrowLeft', false, changesByName)).toBeUndefined()
  expect(findNextElementName('play', 'ArrowUp', false, changesByName)).toBe('logo')
})

const ROW_CHANGES_BY_NAME = { first: { group: 0 }, second: { group: 0 }, third: { group: 0 } }

test('Left and Right move along the cards of a row in both text directions, and from the last card to the heading of the row', () => {
  const changesByName = { ...ROW_CHANGES_BY_NAME, info: { rowOfHeading: 0 } }
  expect(findNextElementName('first', 'ArrowRight', false, changesByName)).toBe('second')
  expect(findNextElementName('first', 'ArrowLeft', true, changesByName)).toBe('second')
  expect(findNextElementName('third', 'ArrowRight', false, changesByName)).toBe('info')
  expect(findNextElementName('info', 'ArrowLeft', false, changesByName)).toBe('third')
  expect(findNextElementName('first', 'ArrowUp', false, changesByName)).toBe('play')
})

test('the arrow keys move from the heading of a row to the button beside the heading, and back', () => {
  for (const [isRightToLeft, key, backKey, buttonLeft] of [
    [false, 'ArrowRight', 'ArrowLeft', 700],
    [true, 'ArrowLeft', 'ArrowRight', 300],
  ] as const) {
    const changesByName = {
      ...ROW_CHANGES_BY_NAME,
      info: { rowOfHeading: 0, box: createBox(500, 640, 100, 40) },
      play: { box: createBox(buttonLeft, 640, 40, 40) },
    }
    expect(findNextElementName('info', key, isRightToLeft, changesByName)).toBe('play')
    expect(findNextElementName('play', backKey, isRightToLeft, changesByName)).toBe('info')
  }
})

test('Down moves to the first visible card of a row, or to the selected tab of a tab list', () => {
  const clippedChangesByName = { ...ROW_CHANGES_BY_NAME, first: { group: 0, isClipped: true } }
  expect(findNextElementName('play', 'ArrowDown', false, clippedChangesByName)).toBe('second')
  const tabChangesByName = { ...ROW_CHANGES_BY_NAME, third: { group: 0, isGroupEntry: true } }
  expect(findNextElementName('play', 'ArrowDown', false, tabChangesByName)).toBe('third')
})

test('a button that overlaps a card gets the focus only with Up from that card', () => {
  const changesByName = {
    ...ROW_CHANGES_BY_NAME,
    info: { cardIndex: elementNames.indexOf('second'), box: createBox(400, 710, 40, 40) },
  }
  expect(findNextElementName('second', 'ArrowUp', false, changesByName)).toBe('info')
  expect(findNextElementName('info', 'ArrowDown', false, changesByName)).toBe('second')
  expect(findNextElementName('info', 'ArrowRight', false, changesByName)).toBe('third')
  expect(findNextElementName('info', 'ArrowUp', false, changesByName)).toBe('play')
  expect(findNextElementName('play', 'ArrowDown', false, changesByName)).toBe('first')
})

test('Left moves from a button inside a field back to the field', () => {
  const changesByName = {
    play: { box: createBox(180, 480, 900, 80) },
    info: { box: createBox(1020, 500, 44, 44) },
  }
  expect(findNextElementName('play', 'ArrowRight', false, changesByName)).toBe('info')
  expect(findNextElementName('info', 'ArrowLeft', false, changesByName)).toBe('play')
  expect(findNextElementName('info', 'ArrowRight', false, changesByName)).toBeUndefined()
})

test('Right does not move to another line of controls, even if that line touches the current line', () => {
  const changesByName = {
    play: { box: createBox(40, 500, 120, 44) },
    info: { box: createBox(180, 456, 160, 44.4) },
  }
  expect(findNextElementName('play', 'ArrowRight', false, changesByName)).toBeUndefined()
})

test('in a menu, Up moves from the first element to the last, and Down from the last to the first', () => {
  expect(findNextElementName('logo', 'ArrowUp', false, {}, true)).toBe('lowRight')
  expect(findNextElementName('lowRight', 'ArrowDown', false, {}, true)).toBe('logo')
})

test('a pointer position that the browser reports on a new page does not count as a movement', () => {
  const createPointerEvent = (clientX: number, movementX: number) => ({
    clientX,
    clientY: 300,
    movementX,
    movementY: 0,
  })
  const hasMoved = createMovementDetector()
  expect([createPointerEvent(200, 0), createPointerEvent(200, 0)].map(hasMoved)).toEqual([false, false])
  expect(hasMoved(createPointerEvent(201, 1))).toBe(true)
  expect(hasMoved(createPointerEvent(201, 0))).toBe(false)
  /* A changed position counts as a movement, even if the reported movement is 0. */
  expect(hasMoved(createPointerEvent(260, 0))).toBe(true)
  /* A reported movement counts as a movement even if no earlier position is known. */
  expect(createMovementDetector()(createPointerEvent(260, 3))).toBe(true)
})
