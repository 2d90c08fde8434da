/** The player's keys, as docs and the sheet behind "?" promise them. */
import { describe, expect, test } from 'vitest'
import {
  getNextPlaybackRate,
  getPlayerAction,
  type KeyContext,
  type PlayerKey,
} from '../../src/lib/rules/player-keys.ts'

const PICTURE: KeyContext = { focus: 'picture', paused: false }
const press = (key: string | PlayerKey, place: Partial<KeyContext> = {}) =>
  getPlayerAction(typeof key === 'string' ? { key } : key, { ...PICTURE, ...place })

test.each([
  [' ', { do: 'toggle' }],
  ['k', { do: 'toggle' }],
  ['K', { do: 'toggle' }],
  ['Enter', { do: 'ok' }],
  ['ArrowLeft', { do: 'skip', seconds: -10 }],
  ['ArrowRight', { do: 'skip', seconds: 10 }],
  ['j', { do: 'skip', seconds: -10 }],
  ['l', { do: 'skip', seconds: 10 }],
  ['ArrowUp', { do: 'volume', change: 0.05 }],
  ['ArrowDown', { do: 'volume', change: -0.05 }],
  ['m', { do: 'mute' }],
  ['f', { do: 'fullscreen' }],
  ['Escape', { do: 'escape' }],
  ['s', { do: 'skip-intro' }],
  ['c', { do: 'captions' }],
  ['0', { do: 'jump', share: 0 }],
  ['9', { do: 'jump', share: 0.9 }],
  ['Home', { do: 'jump', share: 0 }],
  ['End', { do: 'jump', share: 1 }],
  ['<', { do: 'rate', step: -1 }],
  ['>', { do: 'rate', step: 1 }],
  ['i', { do: 'info' }],
  ['e', { do: 'episodes' }],
  ['?', { do: 'keys' }],
  ['MediaPlayPause', { do: 'toggle' }],
  ['GoBack', { do: 'leave' }],
  ['x', null],
  ['Tab', null],
  ['n', null],
  ['p', null],
])('%s', (key, action) => expect(press(key)).toEqual(action))

test.each([
  [
    { key: 'ArrowLeft', shiftKey: true },
    { do: 'skip', seconds: -5 },
  ],
  [
    { key: 'ArrowRight', shiftKey: true },
    { do: 'skip', seconds: 5 },
  ],
  [{ key: 'N', shiftKey: true }, { do: 'next' }],
  [{ key: 'P', shiftKey: true }, { do: 'previous' }],
  [{ key: 'k', ctrlKey: true }, null],
  [{ key: 'f', metaKey: true }, null],
  [{ key: 'ArrowLeft', altKey: true }, null],
])('%o', (key, action) => expect(press(key)).toEqual(action))

test('a frame step only while paused', () => {
  expect(press('.')).toBeNull()
  expect(press('.', { paused: true })).toEqual({ do: 'frame', step: 1 })
  expect(press(',', { paused: true })).toEqual({ do: 'frame', step: -1 })
})

describe('on other keyboards', () => {
  test.each([
    [{ key: 'ن', code: 'KeyK' }, { do: 'toggle' }],
    [{ key: 'ب', code: 'KeyF' }, { do: 'fullscreen' }],
    [
      { key: '٥', code: 'Digit5' },
      { do: 'jump', share: 0.5 },
    ],
    [{ key: '؟', code: 'Slash', shiftKey: true }, { do: 'keys' }],
    [
      { key: 'و', code: 'Comma', shiftKey: true },
      { do: 'rate', step: -1 },
    ],
  ])('%o', (key, action) => expect(press(key)).toEqual(action))

  test('a Latin letter is what it says, wherever it lies', () => {
    expect(press({ key: 'm', code: 'Semicolon' })).toEqual({ do: 'mute' })
  })
})

describe('what has the focus comes first', () => {
  test.each(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' '])(
    '%s is a button’s own',
    (key) => expect(press(key, { focus: 'button' })).toBeNull(),
  )
  test('letters still work on a button', () => {
    expect(press('f', { focus: 'button' })).toEqual({ do: 'fullscreen' })
  })
  test('nothing is taken from who types, not even Escape', () => {
    for (const key of ['k', ' ', 'ArrowLeft', '5', 'Escape'])
      expect(press(key, { focus: 'typing' })).toBeNull()
  })
  test('the timeline goes along with left and right and is left with up and down', () => {
    expect(press('ArrowRight', { focus: 'timeline' })).toEqual({ do: 'skip', seconds: 10 })
    expect(press('ArrowUp', { focus: 'timeline' })).toEqual({ do: 'focus', row: 'above' })
    expect(press('ArrowDown', { focus: 'timeline' })).toEqual({ do: 'focus', row: 'below' })
  })
  test('so does the volume, by itself', () => {
    expect(press('ArrowRight', { focus: 'range' })).toBeNull()
    expect(press('Home', { focus: 'range' })).toBeNull()
    expect(press('ArrowDown', { focus: 'range' })).toEqual({ do: 'focus', row: 'below' })
  })
})

test('speeds go in steps and stop at the ends', () => {
  expect(getNextPlaybackRate(1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(1, -1)).toBe(0.75)
  expect(getNextPlaybackRate(1.1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(2, 1)).toBe(2)
  expect(getNextPlaybackRate(0.5, -1)).toBe(0.5)
})
