/**
 * Keyboard shortcuts of the player; the "?" key lists them. The caller passes which kind of element has the focus. The
 * left arrow seeks back in every language, because the timeline runs from left to right on right-to-left pages too.
 */
import { LONG_CAPTION_DELAY_STEP_SECONDS, SHORT_CAPTION_DELAY_STEP_SECONDS } from './player-captions.ts'

export type PlayerAction =
  | { kind: 'toggle' }
  /** The OK key of a remote control: toggles playback and moves the focus. */
  | { kind: 'ok' }
  | { kind: 'skip'; seconds: number }
  /** `fraction` of the duration, from 0 to 1. */
  | { kind: 'jump'; fraction: number }
  | { kind: 'volume'; change: number }
  | { kind: 'rate'; step: 1 | -1 }
  /** Changes the delay of subtitles. */
  | { kind: 'caption-delay'; seconds: number }
  | { kind: 'chapter'; step: 1 | -1 }
  | { kind: 'frame'; step: 1 | -1 }
  /**
   * `above` and `below` move the focus from a slider to the row of controls above or below it. `timeline` and
   * `captions` open the controls with the focus on the seek bar or on the button "Subtitles".
   */
  | { kind: 'focus'; target: 'above' | 'below' | 'timeline' | 'captions' }
  | {
      kind:
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
   * The focused element. `picture`: no control. `button`: an element that Enter activates. `option`: an element of an
   * open popover that Enter activates; Home, End, Page Up and Page Down scroll the popover. `timeline`: the seek bar.
   * `range`: another slider. `typing`: a text field.
   */
  focus: 'picture' | 'button' | 'option' | 'timeline' | 'range' | 'typing'
  isPaused: boolean
  /**
   * True while a remote control is used. A remote control has volume keys, so its up and down keys open the player
   * controls instead of changing the volume.
   */
  isInRemoteControlMode: boolean
  /** False if the user has turned off the shortcuts that are a single character (lib/single-key-shortcuts.ts). */
  areSingleKeysOn: boolean
}

export const SKIP_SECONDS = 10
export const SHORT_SKIP_SECONDS = 5
export const PLAYBACK_RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
const VOLUME_STEP = 0.05
const FRAME_STEPS_BY_KEY: Record<string, 1 | -1> = { ',': -1, '.': 1 }
const ARROW_KEYS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
const SCROLL_KEYS = new Set(['Home', 'End', 'PageUp', 'PageDown'])
/** The actions that a held key repeats. Any other action would be undone or performed again by each repetition. */
const REPEATABLE_ACTIONS: ReadonlySet<PlayerAction['kind']> = new Set([
  'skip',
  'volume',
  'rate',
  'caption-delay',
  'chapter',
  'frame',
  'focus',
])
export const isRepeatableAction = ({ kind }: PlayerAction): boolean => REPEATABLE_ACTIONS.has(kind)

/**
 * Media keys, and the volume keys of a paired phone. Text fields do not use these keys, so they control the player even
 * while a text field has the focus. The Back key of a remote control is left to the text field, because Back closes the
 * on-screen keyboard.
 */
const KEYS_UNUSED_BY_TEXT_FIELDS = /^(?:Media|PhoneVolume)/

/** Returns the action of a key; null when the browser or the focused element must handle it. */
export function getPlayerAction(pressedKey: PlayerKey, context: KeyContext): PlayerAction | null {
  if (pressedKey.ctrlKey || pressedKey.metaKey || pressedKey.altKey) return null
  const key = getLatinKey(pressedKey)
  if (!context.areSingleKeysOn && isCharacterKey(key)) return null
  if (context.focus === 'typing' && !KEYS_UNUSED_BY_TEXT_FIELDS.test(key)) return null
  if (key === 'Escape') return { kind: 'escape' }
  if (key === 'GoBack' || key === 'BrowserBack') return { kind: 'leave' }
  const isOnButton = context.focus === 'button' || context.focus === 'option'
  if (isOnButton && (ARROW_KEYS.has(key) || key === 'Enter' || key === ' ')) return null
  if (context.focus === 'option' && SCROLL_KEYS.has(key)) return null
  if (context.focus === 'timeline' || context.focus === 'range') {
    if (key === 'ArrowUp') return { kind: 'focus', target: 'above' }
    if (key === 'ArrowDown') return { kind: 'focus', target: 'below' }
    if (context.focus === 'range' && (ARROW_KEYS.has(key) || key === 'Home' || key === 'End')) return null
  }
  if (context.isInRemoteControlMode && context.focus === 'picture') {
    if (key === 'ArrowUp') return { kind: 'focus', target: 'timeline' }
    if (key === 'ArrowDown') return { kind: 'focus', target: 'captions' }
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
const isCharacterKey = (key: string) => key.length === 1 && key !== ' '

/**
 * Returns the character of a key in lower case; a key with a name, such as `Enter`, is returned unchanged. If the
 * character is not ASCII, returns the letter, digit or punctuation mark of the same physical key on a US keyboard.
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
  /^[0-9]$/.test(key) ? { kind: 'jump', fraction: Number(key) / 10 } : null

function getShiftAwareAction(key: string, isShiftPressed: boolean): PlayerAction | null {
  const skipSeconds = isShiftPressed ? SHORT_SKIP_SECONDS : SKIP_SECONDS
  if (key === 'ArrowLeft' || key === 'j') return { kind: 'skip', seconds: -skipSeconds }
  if (key === 'ArrowRight' || key === 'l') return { kind: 'skip', seconds: skipSeconds }
  const delaySeconds = isShiftPressed ? LONG_CAPTION_DELAY_STEP_SECONDS : SHORT_CAPTION_DELAY_STEP_SECONDS
  if (key === 'g') return { kind: 'caption-delay', seconds: -delaySeconds }
  if (key === 'h') return { kind: 'caption-delay', seconds: delaySeconds }
  if (key === 'n' && isShiftPressed) return { kind: 'next' }
  if (key === 'p' && isShiftPressed) return { kind: 'previous' }
  return null
}

const ACTIONS_BY_KEY: Record<string, PlayerAction> = {
  ' ': { kind: 'toggle' },
  k: { kind: 'toggle' },
  Enter: { kind: 'ok' },
  MediaPlayPause: { kind: 'toggle' },
  MediaPlay: { kind: 'play' },
  MediaPause: { kind: 'pause' },
  MediaFastForward: { kind: 'skip', seconds: SKIP_SECONDS },
  MediaRewind: { kind: 'skip', seconds: -SKIP_SECONDS },
  ArrowUp: { kind: 'volume', change: VOLUME_STEP },
  ArrowDown: { kind: 'volume', change: -VOLUME_STEP },
  /* A phone that is paired as a remote control sends the two `Phone` keys. They work regardless of the focus. */
  PhoneVolumeUp: { kind: 'volume', change: VOLUME_STEP },
  PhoneVolumeDown: { kind: 'volume', change: -VOLUME_STEP },
  Home: { kind: 'jump', fraction: 0 },
  End: { kind: 'jump', fraction: 1 },
  PageUp: { kind: 'chapter', step: 1 },
  PageDown: { kind: 'chapter', step: -1 },
  ChannelUp: { kind: 'chapter', step: 1 },
  ChannelDown: { kind: 'chapter', step: -1 },
  m: { kind: 'mute' },
  f: { kind: 'fullscreen' },
  s: { kind: 'skip-intro' },
  c: { kind: 'captions' },
  i: { kind: 'info' },
  e: { kind: 'episodes' },
  '?': { kind: 'keys' },
  '<': { kind: 'rate', step: -1 },
  '>': { kind: 'rate', step: 1 },
}

function getNamedAction(key: string, isPaused: boolean): PlayerAction | null {
  const frameStep = FRAME_STEPS_BY_KEY[key]
  if (frameStep !== undefined) return isPaused ? { kind: 'frame', step: frameStep } : null
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
