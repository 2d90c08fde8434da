/** The parts of the path of a library file. */
import { removeFileExtension } from './media-types.ts'

/** Returns the folders of a relative path and the name of the file without its extension. */
export function splitFilePath(path: string): { folders: string[]; stem: string } {
  const folders = normaliseCharacters(path).split('/')
  const fileName = folders.pop() ?? ''
  return { folders, stem: removeFileExtension(fileName) }
}

/** Bidi embeddings, overrides and isolates (UAX 9), which would change the order of the text around a title. */
const BIDI_CONTROLS_PATTERN = /[\u202a-\u202e\u2066-\u2069]/g

/** The digit zero of other scripts: Arabic, Persian, Devanagari, Bengali, Thai, and full width in East Asian names. */
const ZERO_DIGITS = ['\u0660', '\u06f0', '\u0966', '\u09e6', '\u0e50', '\uff10'].map((zero) =>
  zero.charCodeAt(0),
)

function convertDigit(digit: string): string {
  const value = ZERO_DIGITS.map((zero) => digit.charCodeAt(0) - zero).find(
    (offset) => offset >= 0 && offset < 10,
  )
  return value === undefined ? digit : String(value)
}

/**
 * Converts the digits of other scripts, as in "٢٠١٢" and "第０３話", to Latin ones, and the brackets 【】 of Chinese names to
 * []. Replaces control characters with spaces and removes bidi controls, because a name may become a title.
 */
const normaliseCharacters = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .replace(BIDI_CONTROLS_PATTERN, '')
    .replace(/\p{Nd}/gu, convertDigit)
    .replaceAll('【', '[')
    .replaceAll('】', ']')

/**
 * Returns the path of the folder that contains a file or folder. The path is relative; the result is an empty text for
 * a file or folder in the root.
 */
export const getParentFolder = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))
