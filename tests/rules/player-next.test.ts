/** When the next episode is offered, when it begins by itself, and when the player asks whether anybody is there. */
import { describe, expect, test } from 'vitest'
import {
  getNextCardStart,
  getResumePosition,
  getSkipIntroState,
  HIDDEN_NEXT_CARD,
  isStillWatchingDue,
  type NextCardEvent,
  type NextCardState,
  scalePosition,
  updateNextCard,
} from '../../src/lib/rules/player-prompts.ts'

describe('where the card appears', () => {
  test.each([
    ['at the credits mark', 3000, 2900, 2900],
    ['30 s before the end', 1500, undefined, 1470],
    ['35 s of more than 40 minutes', 2400, null, 2365],
    ['40 s of more than 50 minutes', 3000, undefined, 2960],
    ['half way of a clip that is shorter than credits', 40, undefined, 20],
    ['not at a mark beyond the end', 1500, 1600, 1470],
    ['not at a mark at the start', 1500, 0, 1470],
  ])('%s', (_, duration, mark, at) => expect(getNextCardStart(duration, mark)).toBe(at))

  test.each([0, Number.NaN, Number.POSITIVE_INFINITY, -1])('nowhere in a length of %d', (duration) => {
    expect(getNextCardStart(duration, 100)).toBeNull()
  })
})

describe('the card', () => {
  const story = (events: NextCardEvent[], card: NextCardState = HIDDEN_NEXT_CARD) =>
    events.reduce(updateNextCard, card)
  const reached: NextCardEvent = { kind: 'time', reached: true, ended: false, autoplay: true }
  const seconds = (count: number): NextCardEvent[] =>
    Array.from({ length: count }, () => ({ kind: 'second' }))

  test('counts down ten seconds', () => {
    expect(story([reached])).toEqual({ shown: true, left: 10, putAside: false })
    expect(story([reached, ...seconds(3)]).left).toBe(7)
    expect(story([reached, ...seconds(12)]).left).toBe(0)
  })
  test('does not count when autoplay is off', () => {
    expect(story([{ ...reached, autoplay: false }, ...seconds(3)])).toEqual({
      shown: true,
      left: null,
      putAside: false,
    })
  })
  test('any key stops the count and keeps the card', () => {
    const card = story([reached, ...seconds(2), { kind: 'input' }, ...seconds(20), reached])
    expect(card).toEqual({ shown: true, left: null, putAside: false })
  })
  test('"Watch credits" puts it aside until the end', () => {
    const aside = story([reached, { kind: 'credits' }, reached, ...seconds(20)])
    expect(aside.shown).toBe(false)
    const end = story([{ kind: 'time', reached: true, ended: true, autoplay: true }], aside)
    expect(end).toEqual({ shown: true, left: null, putAside: true })
  })
  test('goes when somebody seeks back, and counts afresh the next time', () => {
    const back: NextCardEvent = { kind: 'time', reached: false, ended: false, autoplay: true }
    expect(story([reached, ...seconds(4), { kind: 'input' }, back])).toEqual(HIDDEN_NEXT_CARD)
    expect(story([reached, { kind: 'credits' }, back, reached]).left).toBe(10)
  })
  test('comes at the end, whatever the clock said', () => {
    expect(story([{ kind: 'time', reached: false, ended: true, autoplay: true }]).shown).toBe(true)
  })
  test('says nothing new when nothing is', () => {
    const back: NextCardEvent = { kind: 'time', reached: false, ended: false, autoplay: true }
    expect(updateNextCard(HIDDEN_NEXT_CARD, back)).toBe(HIDDEN_NEXT_CARD)
    expect(updateNextCard(HIDDEN_NEXT_CARD, { kind: 'input' })).toBe(HIDDEN_NEXT_CARD)
  })
})

describe('skip intro', () => {
  const intro = { start: 60, end: 90 }
  const at = (time: number, entered: number | null, controls = false) =>
    getSkipIntroState(intro, { time, entered, controls })
  test('is seen for eight seconds, then with the controls', () => {
    expect(at(59, null)).toEqual({ offered: false, seen: false })
    expect(at(60, null)).toEqual({ offered: true, seen: true })
    expect(at(67.9, 60)).toEqual({ offered: true, seen: true })
    expect(at(68, 60)).toEqual({ offered: true, seen: false })
    expect(at(68, 60, true)).toEqual({ offered: true, seen: true })
    expect(at(90, 60, true)).toEqual({ offered: false, seen: false })
  })
  test('counts from where somebody came in', () => expect(at(80, 75).seen).toBe(true))
  test('is not there without a mark', () => {
    expect(getSkipIntroState(undefined, { time: 70, entered: null, controls: true }).offered).toBe(false)
  })
})

const MINUTE_MS = 60_000
test.each([
  [3, 90, true],
  [5, 200, true],
  [2, 200, false],
  [3, 89, false],
  [0, 600, false],
])('%d episodes and %d minutes alone: asks %s', (episodes, minutes, asks) => {
  expect(isStillWatchingDue({ episodes, idleMs: minutes * MINUTE_MS })).toBe(asks)
})

test.each([
  [{ progress: 600, finished: false }, 600],
  [{ progress: 4, finished: false }, 0],
  [{ progress: 3000, finished: true }, 0],
  [null, 0],
  [undefined, 0],
])('%o begins at %d', (stored, at) => expect(getResumePosition(stored)).toBe(at))

test.each([
  ['stays in the same file', 3300, { at: 1500, of: 3300 }, 1500],
  ['stays in a longer one', 3600, { at: 1500, of: 3300 }, 1500],
  ['is the same share of a shorter one', 60, { at: 1650, of: 3300 }, 30],
  ['is the start where nothing is left of it', 60, { at: 3250, of: 3300 }, 0],
  ['is the start where nobody knows of what it was', 60, { at: 1500, of: 0 }, 0],
])('a place %s', (_, duration, start, at) => expect(scalePosition(duration, start)).toBe(at))
