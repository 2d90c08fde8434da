/** The note that a profile writes to a viewing: plain text. */

export const MAX_NOTE_LENGTH = 2_000
/** Any text without control characters, except line feeds, and without lone surrogates. */
export const NOTE_PATTERN = /^(?:[^\p{Cc}\p{Cs}]|\n)*$/u

/** Returns the text with line feeds as line breaks, and without white space around it. */
export const normaliseNote = (text: string): string => text.replace(/\r\n?/g, '\n').trim()
