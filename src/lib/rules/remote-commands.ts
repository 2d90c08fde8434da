/**
 * Commands and texts that a phone paired as a remote control can send to the television, and the format of the pairing
 * code.
 */
import { normaliseTypedCode } from './fold-letters.ts'

export const REMOTE_COMMANDS = [
  'up',
  'down',
  'left',
  'right',
  'ok',
  'hold_ok',
  'back',
  'play_pause',
  'rewind',
  'forward',
  'captions',
  'volume_up',
  'volume_down',
] as const
export type RemoteCommand = (typeof REMOTE_COMMANDS)[number]

/** Longest text that a phone sends to the focused field of the television, in UTF-16 code units. */
export const MAX_REMOTE_TEXT_LENGTH = 200

/**
 * Number of digits of a pairing code. The code has no letters, because a phone shows a large number pad for digits. The
 * code is valid only within the account, so six digits are enough.
 */
export const PAIRING_CODE_LENGTH = 6

/**
 * Returns the pairing code that a user has typed, possibly with spaces and separators; null for any other text.
 */
export function parsePairingCode(typedCode: string): string | null {
  const pairingCode = normaliseTypedCode(typedCode)
  return new RegExp(`^[0-9]{${PAIRING_CODE_LENGTH}}$`).test(pairingCode) ? pairingCode : null
}

/** Returns the code in two groups, which are easier to read and type: `482 913`. */
export const formatPairingCode = (pairingCode: string): string =>
  `${pairingCode.slice(0, 3)} ${pairingCode.slice(3)}`
