/** Keyboard shortcuts of the player, as the documentation and the "?" dialog list them. */
import { describe, expect, test } from 'vitest'
import {
  getNextPlaybackRate,
  getPlayerAction,
  type KeyContext,
  type PlayerKey,
} from '../../src/lib/rules/player-keys.ts'

const VIDEO_FOCUSED: KeyContext = { focus: 'picture', paused: false, remote: false }
const pressKey = (key: string | PlayerKey, context: Partial<KeyContext> = {}) =>
  getPlayerAction(typeof key === 'string' ? { key } : key, { ...VIDEO_FOCUSED, ...context })

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
  ['PageUp', { do: 'chapter', step: 1 }],
  ['ChannelDown', { do: 'chapter', step: -1 }],
  ['g', { do: 'caption-delay', seconds: -0.1 }],
  ['h', { do: 'caption-delay', seconds: 0.1 }],
  ['x', null],
  ['Tab', null],
  ['n', null],
  ['p', null],
])('the key "%s" triggers %j', (key, action) => expect(pressKey(key)).toEqual(action))

test.each([
  [
    { key: 'G', shiftKey: true },
    { do: 'caption-delay', seconds: -0.5 },
  ],
  [
    { key: 'ا', code: 'KeyH' },
    { do: 'caption-delay', seconds: 0.1 },
  ],
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
])('pressing %o returns the action %o', (key, action) => expect(pressKey(key)).toEqual(action))

test('"." and "," step by one frame only while paused', () => {
  expect(pressKey('.')).toBeNull()
  expect(pressKey('.', { paused: true })).toEqual({ do: 'frame', step: 1 })
  expect(pressKey(',', { paused: true })).toEqual({ do: 'frame', step: -1 })
})

describe('other keyboard layouts', () => {
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
  ])('pressing %o returns the action %o', (key, action) => expect(pressKey(key)).toEqual(action))

  test('a Latin letter counts as that letter at any key position', () => {
    expect(pressKey({ key: 'm', code: 'Semicolon' })).toEqual({ do: 'mute' })
  })
})

describe('keys of the focused element', () => {
  test.each(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' '])(
    'a focused button handles the key "%s"',
    (key) => expect(pressKey(key, { focus: 'button' })).toBeNull(),
  )
  test('letter shortcuts work on a focused button', () => {
    expect(pressKey('f', { focus: 'button' })).toEqual({ do: 'fullscreen' })
  })
  test('a text field gets every key, including Escape', () => {
    for (const key of ['k', ' ', 'ArrowLeft', '5', 'Escape'])
      expect(pressKey(key, { focus: 'typing' })).toBeNull()
  })
  test('on the timeline, left and right seek, and up and down move the focus', () => {
    expect(pressKey('ArrowRight', { focus: 'timeline' })).toEqual({ do: 'skip', seconds: 10 })
    expect(pressKey('ArrowUp', { focus: 'timeline' })).toEqual({ do: 'focus', target: 'above' })
    expect(pressKey('ArrowDown', { focus: 'timeline' })).toEqual({ do: 'focus', target: 'below' })
  })
  test('the volume slider handles left, right and Home, and down moves the focus', () => {
    expect(pressKey('ArrowRight', { focus: 'range' })).toBeNull()
    expect(pressKey('Home', { focus: 'range' })).toBeNull()
    expect(pressKey('ArrowDown', { focus: 'range' })).toEqual({ do: 'focus', target: 'below' })
  })
})

describe('a remote control', () => {
  const remote = { remote: true }
  test('opens the controls with Up and Down, which do not change the volume', () => {
    expect(pressKey('ArrowUp', remote)).toEqual({ do: 'focus', target: 'timeline' })
    expect(pressKey('ArrowDown', remote)).toEqual({ do: 'focus', target: 'captions' })
  })
  test('seeks with Left and Right, and leaves the arrow keys to a focused button', () => {
    expect(pressKey('ArrowLeft', remote)).toEqual({ do: 'skip', seconds: -10 })
    expect(pressKey('Enter', remote)).toEqual({ do: 'ok' })
    expect(pressKey('ArrowDown', { ...remote, focus: 'button' })).toBeNull()
    expect(pressKey('ArrowUp', { ...remote, focus: 'timeline' })).toEqual({ do: 'focus', target: 'above' })
  })
})

test('the playback rate changes in steps and stops at the limits', () => {
  expect(getNextPlaybackRate(1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(1, -1)).toBe(0.75)
  expect(getNextPlaybackRate(1.1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(2, 1)).toBe(2)
  expect(getNextPlaybackRate(0.5, -1)).toBe(0.5)
})
