/** The note of a profile about a viewing: plain text. */
import { trimToVisibleText } from './profile-name.ts'

export const MAX_NOTE_LENGTH = 2_000
/** Text without lone surrogates and without control characters other than line feeds. */
export const NOTE_PATTERN = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u

/**
 * Returns the text with line feeds as line breaks, and without surrounding white space. Returns an empty text if it has
 * no visible characters.
 */
export const normaliseNote = (noteText: string): string => trimToVisibleText(noteText.replace(/\r\n?/g, '\n'))

/**
 * Returns written or pasted text in the form that `NOTE_PATTERN` accepts: tabs become spaces, and other control
 * characters and lone surrogates are removed.
 */
export const toPlainNote = (noteText: string): string =>
  normaliseNote(
    normaliseNote(noteText)
      .replace(/\t/g, ' ')
      .replace(/[^\P{Cc}\n]|\p{Cs}/gu, ''),
  )
