/**
 * Keyboard shortcuts of the player; the "?" key lists them. The caller passes which kind of element has the focus. The
 * left arrow seeks back in every language, because the timeline runs from left to right on right-to-left pages too.
 */
import { LONG_CAPTION_DELAY_STEP_SECONDS, SHORT_CAPTION_DELAY_STEP_SECONDS } from './player-captions.ts'

export type PlayerAction =
  | { do: 'toggle' }
  /** The OK key of a remote control: toggles playback and moves the focus. */
  | { do: 'ok' }
  | { do: 'skip'; seconds: number }
  /** `share` of the duration, from 0 to 1. */
  | { do: 'jump'; share: number }
  | { do: 'volume'; change: number }
  | { do: 'rate'; step: 1 | -1 }
  /** Changes the delay of subtitles. */
  | { do: 'caption-delay'; seconds: number }
  | { do: 'chapter'; step: 1 | -1 }
  | { do: 'frame'; step: 1 | -1 }
  /** `timeline` and `captions` open the controls with the focus on the seek bar or on the button "Subtitles". */
  | { do: 'focus'; target: 'above' | 'below' | 'timeline' | 'captions' }
  | {
      do:
        | 'mute'
        | 'fullscreen'
        | 'escape'
        | 'leave'
        | 'skip-intro'
        | 'captions'
        | 'next'
        | 'previous'
        | 'info'
        | 'episodes'
        | 'keys'
        | 'play'
        | 'pause'
    }

export interface PlayerKey {
  key: string
  /** Physical key. It identifies letters, digits and punctuation on keyboards without Latin letters. */
  code?: string
  shiftKey?: boolean
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
}
export interface KeyContext {
  /**
   * The focused element. `picture`: no control. `button`: an element that Enter activates. `timeline`: the seek bar.
   * `range`: another slider. `typing`: a text field.
   */
  focus: 'picture' | 'button' | 'timeline' | 'range' | 'typing'
  isPaused: boolean
  /**
   * True while a remote control is used. A remote control has volume keys, so its up and down keys open the player
   * controls instead of changing the volume.
   */
  isRemoteControlled: boolean
  /** False if the user has turned off the shortcuts that are a single character (lib/single-key-shortcuts.ts). */
  areSingleKeysOn: boolean
}

export const SKIP_SECONDS = 10
export const SHORT_SKIP_SECONDS = 5
export const PLAYBACK_RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
const VOLUME_STEP = 0.05
const FRAME_STEPS_BY_KEY: Record<string, 1 | -1> = { ',': -1, '.': 1 }
const ARROW_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/**
 * Media keys, and the volume keys of a paired phone. Text fields do not use these keys, so the keys work while a text
 * field has the focus. The Back key of a remote control is left to the text field, because Back closes the on-screen
 * keyboard.
 */
const KEYS_UNUSED_BY_TEXT_FIELDS = /^(?:Media|PhoneVolume)/

/** Returns the action of a key; null when the browser or the focused element must handle it. */
export function getPlayerAction(pressedKey: PlayerKey, context: KeyContext): PlayerAction | null {
  if (pressedKey.ctrlKey || pressedKey.metaKey || pressedKey.altKey) return null
  const key = getLatinKey(pressedKey)
  if (!context.areSingleKeysOn && isCharacter(key)) return null
  if (context.focus === 'typing' && !KEYS_UNUSED_BY_TEXT_FIELDS.test(key)) return null
  if (key === 'Escape') return { do: 'escape' }
  if (key === 'GoBack' || key === 'BrowserBack') return { do: 'leave' }
  if (context.focus === 'button' && (ARROW_KEYS.has(key) || key === 'Enter' || key === ' ')) return null
  if (context.focus === 'timeline' || context.focus === 'range') {
    if (key === 'ArrowUp') return { do: 'focus', target: 'above' }
    if (key === 'ArrowDown') return { do: 'focus', target: 'below' }
    if (context.focus === 'range' && (ARROW_KEYS.has(key) || key === 'Home' || key === 'End')) return null
  }
  if (context.isRemoteControlled && context.focus === 'picture') {
    if (key === 'ArrowUp') return { do: 'focus', target: 'timeline' }
    if (key === 'ArrowDown') return { do: 'focus', target: 'captions' }
  }
  return (
    getDigitAction(key) ??
    getShiftAwareAction(key, pressedKey.shiftKey === true) ??
    getNamedAction(key, context.isPaused)
  )
}

/**
 * True for letters, digits and punctuation, also with Shift. Speech input can press such a key by accident. The space
 * bar is not included, because it presses the focused button.
 */
const isCharacter = (key: string) => key.length === 1 && key !== ' '

/**
 * Returns the character of a key. On a keyboard without Latin letters, returns the Latin character of the same physical
 * key.
 */
function getLatinKey({ key, code = '', shiftKey = false }: PlayerKey): string {
  if (key.length !== 1) return key
  if (/^[ -~]$/.test(key)) return key.toLowerCase()
  if (/^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  if (/^(Digit|Numpad)\d$/.test(code)) return code.slice(-1)
  const punctuationByCode: Record<string, [string, string]> = {
    Comma: [',', '<'],
    Period: ['.', '>'],
    Slash: ['/', '?'],
  }
  return punctuationByCode[code]?.[shiftKey ? 1 : 0] ?? key
}

const getDigitAction = (key: string): PlayerAction | null =>
  /^[0-9]$/.test(key) ? { do: 'jump', share: Number(key) / 10 } : null

function getShiftAwareAction(key: string, isShiftPressed: boolean): PlayerAction | null {
  const skipSeconds = isShiftPressed ? SHORT_SKIP_SECONDS : SKIP_SECONDS
  if (key === 'ArrowLeft' || key === 'j') return { do: 'skip', seconds: -skipSeconds }
  if (key === 'ArrowRight' || key === 'l') return { do: 'skip', seconds: skipSeconds }
  const delaySeconds = isShiftPressed ? LONG_CAPTION_DELAY_STEP_SECONDS : SHORT_CAPTION_DELAY_STEP_SECONDS
  if (key === 'g') return { do: 'caption-delay', seconds: -delaySeconds }
  if (key === 'h') return { do: 'caption-delay', seconds: delaySeconds }
  if (key === 'n' && isShiftPressed) return { do: 'next' }
  if (key === 'p' && isShiftPressed) return { do: 'previous' }
  return null
}

const ACTIONS_BY_KEY: Record<string, PlayerAction> = {
  ' ': { do: 'toggle' },
  k: { do: 'toggle' },
  Enter: { do: 'ok' },
  MediaPlayPause: { do: 'toggle' },
  MediaPlay: { do: 'play' },
  MediaPause: { do: 'pause' },
  MediaFastForward: { do: 'skip', seconds: SKIP_SECONDS },
  MediaRewind: { do: 'skip', seconds: -SKIP_SECONDS },
  ArrowUp: { do: 'volume', change: VOLUME_STEP },
  ArrowDown: { do: 'volume', change: -VOLUME_STEP },
  /* A phone that is paired as a remote control sends the two `Phone` keys. They work regardless of the focus. */
  PhoneVolumeUp: { do: 'volume', change: VOLUME_STEP },
  PhoneVolumeDown: { do: 'volume', change: -VOLUME_STEP },
  Home: { do: 'jump', share: 0 },
  End: { do: 'jump', share: 1 },
  PageUp: { do: 'chapter', step: 1 },
  PageDown: { do: 'chapter', step: -1 },
  ChannelUp: { do: 'chapter', step: 1 },
  ChannelDown: { do: 'chapter', step: -1 },
  m: { do: 'mute' },
  f: { do: 'fullscreen' },
  s: { do: 'skip-intro' },
  c: { do: 'captions' },
  i: { do: 'info' },
  e: { do: 'episodes' },
  '?': { do: 'keys' },
  '<': { do: 'rate', step: -1 },
  '>': { do: 'rate', step: 1 },
}

function getNamedAction(key: string, isPaused: boolean): PlayerAction | null {
  const frameStep = FRAME_STEPS_BY_KEY[key]
  if (frameStep !== undefined) return isPaused ? { do: 'frame', step: frameStep } : null
  return ACTIONS_BY_KEY[key] ?? null
}

/** Returns the next faster (1) or slower (-1) playback rate. At the fastest or slowest rate, returns that rate. */
export function getNextPlaybackRate(currentRate: number, step: 1 | -1): number {
  const nextRate =
    step > 0
      ? PLAYBACK_RATES.find((candidate) => candidate > currentRate + 0.01)
      : PLAYBACK_RATES.findLast((candidate) => candidate < currentRate - 0.01)
  return nextRate ?? (step > 0 ? PLAYBACK_RATES[PLAYBACK_RATES.length - 1]! : PLAYBACK_RATES[0])
}
