/** Sanitises the text of an image, which is untrusted (imports, administrators), and splits it for line breaking. */

const MAX_GRAPHEMES = 84
/** Limit in bytes, because a single grapheme may have many bytes: a family emoji has 25. */
const MAX_BYTES = 420
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const splitGraphemes = (text: string): string[] =>
  Array.from(segmenter.segment(text), (part) => part.segment)

/**
 * Returns a single line of text that is valid in XML, without lone surrogates or long runs of combining marks.
 * Control and format characters are removed, since bidi overrides would reorder the text. ZWJ and ZWNJ stay, because
 * emoji and Persian need them.
 */
export function sanitiseText(text: string): string {
  const plain = text
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\s\u2028\u2029\u0085]+/g, ' ')
    .replace(/[^\P{C}\u200c\u200d]|[\ufffd-\uffff]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim()
  const parts = splitGraphemes(plain).filter((grapheme) => grapheme.length <= 24)
  let bytes = 0
  const endIndex = parts.findIndex((grapheme, index) => {
    bytes += Buffer.byteLength(grapheme)
    return index >= MAX_GRAPHEMES || bytes > MAX_BYTES
  })
  if (endIndex < 0) return parts.join('')
  const cut = parts.slice(0, endIndex - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > MAX_GRAPHEMES / 2 ? cut.slice(0, space) : cut}…`
}

/** True if the first letter belongs to a right-to-left script such as Arabic or Hebrew. */
export function isRtl(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(first)
}

/** True for scripts whose letters join, such as Arabic and Devanagari. They need text without letter spacing. */
export const isJoinedScript = (text: string): boolean =>
  /[\u0600-\u08ff\u0900-\u0dff\ufb50-\ufefc]/.test(text)

export interface TitleWord {
  readonly text: string
  /** Separator before the word, unless the word starts a line. */
  readonly separator: '' | ' '
}

const UNSPACED_SCRIPTS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/

/** Splits a text where a line may break. Words of scripts without spaces (Chinese, Thai) are found by Intl.Segmenter. */
export function splitIntoWords(text: string, lang: string): TitleWord[] {
  const result: TitleWord[] = []
  for (const token of text.split(' ').filter(Boolean)) {
    const pieces = UNSPACED_SCRIPTS.test(token) ? splitUnspaced(token, lang) : splitLongWord(token)
    pieces.forEach((piece, index) => {
      result.push({ text: piece, separator: index === 0 ? ' ' : '' })
    })
  }
  return result
}

/** Splits text of a script without spaces. Punctuation is appended to the word before it. */
function splitUnspaced(token: string, lang: string): string[] {
  const pieces: string[] = []
  for (const segment of new Intl.Segmenter(lang, { granularity: 'word' }).segment(token))
    if (segment.isWordLike || pieces.length === 0) pieces.push(segment.segment)
    else pieces[pieces.length - 1] += segment.segment
  return pieces.flatMap(splitLongWord)
}

/** Splits words of more than 22 letters, which do not fit on a line at a legible font size. */
function splitLongWord(token: string): string[] {
  const parts = splitGraphemes(token)
  if (parts.length <= 22) return [token]
  const count = Math.ceil(parts.length / 16)
  const partLength = Math.ceil(parts.length / count)
  return Array.from({ length: count }, (_, i) =>
    parts.slice(i * partLength, (i + 1) * partLength).join(''),
  ).filter(Boolean)
}
