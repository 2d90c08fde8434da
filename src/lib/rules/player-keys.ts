/**
 * What a key does in the player (docs: the sheet behind "?"). Pure: the caller says what has the focus. Arrows keep their
 * physical meaning in every language, since the timeline runs from left to right everywhere.
 */
export type PlayerAction =
  | { do: 'toggle' }
  /** Toggle from a remote's OK: the focus goes with it. */
  | { do: 'ok' }
  | { do: 'skip'; seconds: number }
  /** Share of the whole, 0 to 1. */
  | { do: 'jump'; share: number }
  | { do: 'volume'; change: number }
  | { do: 'rate'; step: 1 | -1 }
  | { do: 'frame'; step: 1 | -1 }
  | { do: 'focus'; row: 'above' | 'below' }
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
  /** The key's place on the keyboard: what a letter is where the layout has no Latin ones. */
  code?: string
  shiftKey?: boolean
  ctrlKey?: boolean
  metaKey?: boolean
  altKey?: boolean
}
export interface KeyPlace {
  /** `button` is anything that Enter presses; `timeline` the position, `range` another slider. */
  focus: 'picture' | 'button' | 'timeline' | 'range' | 'typing'
  paused: boolean
}

export const STEP = 10
export const SHORT_STEP = 5
export const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
const VOLUME_STEP = 0.05
const FRAME_KEYS: Record<string, 1 | -1> = { ',': -1, '.': 1 }
const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

/** Null when the key is not the player's: the browser, or what has the focus, answers it. */
export function actionOf(pressed: PlayerKey, place: KeyPlace): PlayerAction | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || place.focus === 'typing') return null
  const key = nameOf(pressed)
  if (key === 'Escape') return { do: 'escape' }
  if (key === 'GoBack' || key === 'BrowserBack') return { do: 'leave' }
  if (place.focus === 'button' && (ARROWS.has(key) || key === 'Enter' || key === ' ')) return null
  if (place.focus === 'timeline' || place.focus === 'range') {
    if (key === 'ArrowUp') return { do: 'focus', row: 'above' }
    if (key === 'ArrowDown') return { do: 'focus', row: 'below' }
    if (place.focus === 'range' && (ARROWS.has(key) || key === 'Home' || key === 'End')) return null
  }
  return ofDigit(key) ?? ofShift(key, pressed.shiftKey === true) ?? ofName(key, place.paused)
}

/** The character, or what it would be on a keyboard with Latin letters. */
function nameOf({ key, code = '', shiftKey = false }: PlayerKey): string {
  if (key.length !== 1) return key
  if (/^[ -~]$/.test(key)) return key.toLowerCase()
  if (/^Key[A-Z]$/.test(code)) return code.slice(3).toLowerCase()
  if (/^(Digit|Numpad)\d$/.test(code)) return code.slice(-1)
  const signs: Record<string, [string, string]> = {
    Comma: [',', '<'],
    Period: ['.', '>'],
    Slash: ['/', '?'],
  }
  return signs[code]?.[shiftKey ? 1 : 0] ?? key
}

const ofDigit = (key: string): PlayerAction | null =>
  /^[0-9]$/.test(key) ? { do: 'jump', share: Number(key) / 10 } : null

function ofShift(key: string, shift: boolean): PlayerAction | null {
  const seconds = shift ? SHORT_STEP : STEP
  if (key === 'ArrowLeft' || key === 'j') return { do: 'skip', seconds: -seconds }
  if (key === 'ArrowRight' || key === 'l') return { do: 'skip', seconds }
  if (key === 'n' && shift) return { do: 'next' }
  if (key === 'p' && shift) return { do: 'previous' }
  return null
}

const NAMED: Record<string, PlayerAction> = {
  ' ': { do: 'toggle' },
  k: { do: 'toggle' },
  Enter: { do: 'ok' },
  MediaPlayPause: { do: 'toggle' },
  MediaPlay: { do: 'play' },
  MediaPause: { do: 'pause' },
  MediaFastForward: { do: 'skip', seconds: STEP },
  MediaRewind: { do: 'skip', seconds: -STEP },
  ArrowUp: { do: 'volume', change: VOLUME_STEP },
  ArrowDown: { do: 'volume', change: -VOLUME_STEP },
  Home: { do: 'jump', share: 0 },
  End: { do: 'jump', share: 1 },
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

function ofName(key: string, paused: boolean): PlayerAction | null {
  const step = FRAME_KEYS[key]
  if (step !== undefined) return paused ? { do: 'frame', step } : null
  return NAMED[key] ?? null
}

/** The next speed in that direction; stays at the ends. */
export function rateAfter(rate: number, step: 1 | -1): number {
  const found = step > 0 ? RATES.find((one) => one > rate + 0.01) : RATES.findLast((one) => one < rate - 0.01)
  return found ?? (step > 0 ? RATES[RATES.length - 1]! : RATES[0])
}
