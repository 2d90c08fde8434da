/** Keyboard shortcuts of the player, as the documentation and the "?" dialog list them. */
import { describe, expect, test } from 'vitest'
import {
  getNextPlaybackRate,
  getPlayerAction,
  isRepeatableAction,
  type KeyContext,
  type PlayerKey,
} from '../../src/lib/rules/player-keys.ts'

const VIDEO_FOCUS_CONTEXT: KeyContext = {
  focus: 'picture',
  isPaused: false,
  isInRemoteControlMode: false,
  areSingleKeysOn: true,
}
const pressKey = (key: string | PlayerKey, context: Partial<KeyContext> = {}) =>
  getPlayerAction(typeof key === 'string' ? { key } : key, { ...VIDEO_FOCUS_CONTEXT, ...context })

test.each([
  [' ', { kind: 'toggle' }],
  ['k', { kind: 'toggle' }],
  ['K', { kind: 'toggle' }],
  ['Enter', { kind: 'ok' }],
  ['ArrowLeft', { kind: 'skip', seconds: -10 }],
  ['ArrowRight', { kind: 'skip', seconds: 10 }],
  ['j', { kind: 'skip', seconds: -10 }],
  ['l', { kind: 'skip', seconds: 10 }],
  ['ArrowUp', { kind: 'volume', change: 0.05 }],
  ['ArrowDown', { kind: 'volume', change: -0.05 }],
  ['m', { kind: 'mute' }],
  ['f', { kind: 'fullscreen' }],
  ['Escape', { kind: 'escape' }],
  ['s', { kind: 'skip-intro' }],
  ['c', { kind: 'captions' }],
  ['0', { kind: 'jump', fraction: 0 }],
  ['9', { kind: 'jump', fraction: 0.9 }],
  ['Home', { kind: 'jump', fraction: 0 }],
  ['End', { kind: 'jump', fraction: 1 }],
  ['<', { kind: 'rate', step: -1 }],
  ['>', { kind: 'rate', step: 1 }],
  ['i', { kind: 'info' }],
  ['e', { kind: 'episodes' }],
  ['?', { kind: 'keys' }],
  ['MediaPlayPause', { kind: 'toggle' }],
  ['GoBack', { kind: 'leave' }],
  ['PageUp', { kind: 'chapter', step: 1 }],
  ['ChannelDown', { kind: 'chapter', step: -1 }],
  ['g', { kind: 'caption-delay', seconds: -0.1 }],
  ['h', { kind: 'caption-delay', seconds: 0.1 }],
  ['x', null],
  ['Tab', null],
  ['n', null],
  ['p', null],
])('the action of the key "%s" is %j', (key, action) => expect(pressKey(key)).toEqual(action))

test.each([
  [
    { key: 'G', shiftKey: true },
    { kind: 'caption-delay', seconds: -0.5 },
  ],
  [
    { key: 'ا', code: 'KeyH' },
    { kind: 'caption-delay', seconds: 0.1 },
  ],
  [
    { key: 'ArrowLeft', shiftKey: true },
    { kind: 'skip', seconds: -5 },
  ],
  [
    { key: 'ArrowRight', shiftKey: true },
    { kind: 'skip', seconds: 5 },
  ],
  [{ key: 'N', shiftKey: true }, { kind: 'next' }],
  [{ key: 'P', shiftKey: true }, { kind: 'previous' }],
  [{ key: 'k', ctrlKey: true }, null],
  [{ key: 'f', metaKey: true }, null],
  [{ key: 'ArrowLeft', altKey: true }, null],
])('the action of the key press %o is %o', (key, action) => expect(pressKey(key)).toEqual(action))

test('without single-key shortcuts, letters, digits and punctuation have no effect, and all other keys keep their actions', () => {
  const context = { areSingleKeysOn: false, isPaused: true }
  const characters = [
    'k',
    'K',
    'j',
    'l',
    'm',
    'f',
    's',
    'c',
    'g',
    'h',
    'i',
    'e',
    '0',
    '9',
    '?',
    '<',
    '>',
    ',',
    '.',
  ]
  for (const key of characters) {
    expect(pressKey(key, { isPaused: true }), key).not.toBeNull()
    expect(pressKey(key, context), key).toBeNull()
  }
  expect(pressKey({ key: 'N', shiftKey: true }, context)).toBeNull()
  expect(pressKey({ key: 'ا', code: 'KeyH' }, context)).toBeNull()
  for (const key of [
    ' ',
    'Enter',
    'ArrowLeft',
    'ArrowUp',
    'Home',
    'PageUp',
    'Escape',
    'MediaPlayPause',
    'GoBack',
  ])
    expect(pressKey(key, context), key).toEqual(pressKey(key, { isPaused: true }))
})

test('"." and "," step by one frame only while the video is paused', () => {
  expect(pressKey('.')).toBeNull()
  expect(pressKey('.', { isPaused: true })).toEqual({ kind: 'frame', step: 1 })
  expect(pressKey(',', { isPaused: true })).toEqual({ kind: 'frame', step: -1 })
})

describe('keyboard layouts other than QWERTY', () => {
  test.each([
    [{ key: 'ن', code: 'KeyK' }, { kind: 'toggle' }],
    [{ key: 'ب', code: 'KeyF' }, { kind: 'fullscreen' }],
    [
      { key: '٥', code: 'Digit5' },
      { kind: 'jump', fraction: 0.5 },
    ],
    [{ key: '؟', code: 'Slash', shiftKey: true }, { kind: 'keys' }],
    [
      { key: 'و', code: 'Comma', shiftKey: true },
      { kind: 'rate', step: -1 },
    ],
  ])('the action of the key press %o is %o', (key, action) => expect(pressKey(key)).toEqual(action))

  test('a Latin letter triggers its shortcut at any key position', () => {
    expect(pressKey({ key: 'm', code: 'Semicolon' })).toEqual({ kind: 'mute' })
  })
})

describe('keys of the focused element', () => {
  test.each(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' '])(
    'the player leaves the key "%s" to a focused button',
    (key) => expect(pressKey(key, { focus: 'button' })).toBeNull(),
  )
  test('a letter key triggers its shortcut while a button has the focus', () => {
    expect(pressKey('f', { focus: 'button' })).toEqual({ kind: 'fullscreen' })
  })
  test('the player leaves all keys, including Escape and the Back key, to a text field that has the focus', () => {
    for (const key of ['k', ' ', 'ArrowLeft', '5', 'Escape', 'GoBack', 'c'])
      expect(pressKey(key, { focus: 'typing' })).toBeNull()
  })
  test.each([
    ['PhoneVolumeUp', { kind: 'volume', change: 0.05 }],
    ['PhoneVolumeDown', { kind: 'volume', change: -0.05 }],
    ['MediaPlayPause', { kind: 'toggle' }],
    ['MediaRewind', { kind: 'skip', seconds: -10 }],
  ])(
    'the key "%s" has the same action whichever element has the focus, even in a text field',
    (key, action) => {
      for (const focus of ['picture', 'button', 'timeline', 'range', 'typing'] as const)
        expect(pressKey(key, { focus, isInRemoteControlMode: true })).toEqual(action)
    },
  )
  test('on the timeline, Right seeks, and Up and Down move the focus', () => {
    expect(pressKey('ArrowRight', { focus: 'timeline' })).toEqual({ kind: 'skip', seconds: 10 })
    expect(pressKey('ArrowUp', { focus: 'timeline' })).toEqual({ kind: 'focus', target: 'above' })
    expect(pressKey('ArrowDown', { focus: 'timeline' })).toEqual({ kind: 'focus', target: 'below' })
  })
  test('the player leaves the Right and Home keys to a focused volume slider, and the Down key moves the focus', () => {
    expect(pressKey('ArrowRight', { focus: 'range' })).toBeNull()
    expect(pressKey('Home', { focus: 'range' })).toBeNull()
    expect(pressKey('ArrowDown', { focus: 'range' })).toEqual({ kind: 'focus', target: 'below' })
  })
})

describe('a remote control', () => {
  const remoteContext = { isInRemoteControlMode: true }
  test('Up and Down of a remote control move the focus to the controls', () => {
    expect(pressKey('ArrowUp', remoteContext)).toEqual({ kind: 'focus', target: 'timeline' })
    expect(pressKey('ArrowDown', remoteContext)).toEqual({ kind: 'focus', target: 'captions' })
  })
  test('on a remote control, Left seeks, the player leaves Down to a focused button, and Up moves the focus from the timeline to the controls above', () => {
    expect(pressKey('ArrowLeft', remoteContext)).toEqual({ kind: 'skip', seconds: -10 })
    expect(pressKey('Enter', remoteContext)).toEqual({ kind: 'ok' })
    expect(pressKey('ArrowDown', { ...remoteContext, focus: 'button' })).toBeNull()
    expect(pressKey('ArrowUp', { ...remoteContext, focus: 'timeline' })).toEqual({
      kind: 'focus',
      target: 'above',
    })
  })
})

test('the playback rate changes step by step between 0.5 and 2', () => {
  expect(getNextPlaybackRate(1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(1, -1)).toBe(0.75)
  expect(getNextPlaybackRate(1.1, 1)).toBe(1.25)
  expect(getNextPlaybackRate(2, 1)).toBe(2)
  expect(getNextPlaybackRate(0.5, -1)).toBe(0.5)
})

test.each(['Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'Enter', ' '])(
  'on an option of an open panel, the player does not handle the key "%s"',
  (key) => expect(pressKey(key, { focus: 'option' })).toBeNull(),
)

test.each([
  ['ArrowRight', true],
  ['ArrowUp', true],
  ['g', true],
  [' ', false],
  ['Enter', false],
  ['m', false],
  ['f', false],
  ['c', false],
  ['GoBack', false],
])('the action of the key "%s" may repeat while the key is held: %s', (key, isRepeated) => {
  const action = pressKey(key)
  expect(action && isRepeatableAction(action)).toBe(isRepeated)
})
