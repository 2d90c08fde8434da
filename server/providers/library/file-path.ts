/** The parts of the path of a library file. */
import { toAsciiDigits } from '../../../src/lib/rules/fold-letters.ts'
import { removeFileExtension } from './media-types.ts'

/** Returns the folders of a relative path and the name of the file without its extension. */
export function splitFilePath(path: string): { folders: string[]; stem: string } {
  const folders = normaliseCharacters(path).split('/')
  const fileName = folders.pop() ?? ''
  return { folders, stem: removeFileExtension(fileName) }
}

/** Bidi embeddings, overrides and isolates (UAX 9), which would change the order of the text around a title. */
const BIDI_CONTROLS_PATTERN = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Converts the digits of other scripts, as in "٢٠١٢" and "第０３話", to ASCII digits, and the brackets 【】 of Chinese names
 * to []. Replaces control characters with spaces and removes bidi controls, because a name may become a title.
 */
const normaliseCharacters = (text: string) =>
  toAsciiDigits(text)
    .replace(/\p{Cc}/gu, ' ')
    .replace(BIDI_CONTROLS_PATTERN, '')
    .replaceAll('【', '[')
    .replaceAll('】', ']')

/**
 * Returns the path of the folder that contains a file or folder. The path is relative; the result is an empty text for
 * a file or folder in the root.
 */
export const getParentFolder = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0))
