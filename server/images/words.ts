/** Titles come from outside (imports, administrators): what may reach the picture, and how it breaks. */

const longestTitle = 84
/** A family emoji is one grapheme of 25 bytes. */
const mostBytes = 420
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const graphemes = (text: string): string[] =>
  Array.from(segmenter.segment(text), (part) => part.segment)

/**
 * Plain text fit for one line of XML: no control or format characters (bidi overrides would reorder what is
 * drawn; ZWJ and ZWNJ stay, emoji and Persian need them), no lone surrogates, no towers of combining marks.
 */
export function clean(text: string): string {
  const plain = text
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\s\u2028\u2029\u0085]+/g, ' ')
    .replace(/[^\P{C}\u200c\u200d]|[\ufffd-\uffff]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim()
  const parts = graphemes(plain).filter((part) => part.length <= 24)
  let bytes = 0
  const fits = parts.findIndex((part, i) => {
    bytes += Buffer.byteLength(part)
    return i >= longestTitle || bytes > mostBytes
  })
  if (fits < 0) return parts.join('')
  const cut = parts.slice(0, fits - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > longestTitle / 2 ? cut.slice(0, space) : cut}…`
}

export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** True when the first letter that has a direction is Arabic, Hebrew or their relatives. */
export function isRtl(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(first)
}

/** Scripts whose letters join: no letter spacing, no splitting inside a word. */
export const joins = (text: string): boolean => /[\u0600-\u08ff\u0900-\u0dff\ufb50-\ufefc]/.test(text)

export interface Word {
  readonly text: string
  /** What stands before the word when it does not start a line. */
  readonly glue: '' | ' '
}

const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/

/** The pieces a line may break between; words without spaces (Chinese, Thai) are found by Intl.Segmenter. */
export function words(text: string, lang: string): Word[] {
  const found: Word[] = []
  for (const token of text.split(' ').filter(Boolean)) {
    const pieces = unspaced.test(token) ? unspacedPieces(token, lang) : pieceLong(token)
    pieces.forEach((piece, i) => {
      found.push({ text: piece, glue: i === 0 ? ' ' : '' })
    })
  }
  return found
}

/** Punctuation stays with the word before it. */
function unspacedPieces(token: string, lang: string): string[] {
  const pieces: string[] = []
  for (const part of new Intl.Segmenter(lang, { granularity: 'word' }).segment(token))
    if (part.isWordLike || pieces.length === 0) pieces.push(part.segment)
    else pieces[pieces.length - 1] += part.segment
  return pieces.flatMap(pieceLong)
}

/** No line can hold a word of more than 22 letters at a size one can read. */
function pieceLong(token: string): string[] {
  const parts = graphemes(token)
  if (parts.length <= 22) return [token]
  const count = Math.ceil(parts.length / 16)
  const each = Math.ceil(parts.length / count)
  return Array.from({ length: count }, (_, i) => parts.slice(i * each, (i + 1) * each).join('')).filter(
    Boolean,
  )
}
