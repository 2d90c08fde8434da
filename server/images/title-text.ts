/** Sanitises the text of an image, which is untrusted (imports, administrators), and splits it for line breaking. */

const MAX_TEXT_GRAPHEMES = 84
/**
 * Maximum length of a text in bytes. It is needed in addition to MAX_TEXT_GRAPHEMES, because a single grapheme may have
 * many bytes: a family emoji has 25 bytes.
 */
const MAX_TEXT_BYTES = 420
const graphemeSegmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export const splitGraphemes = (text: string): string[] =>
  Array.from(graphemeSegmenter.segment(text), (segment) => segment.segment)

/**
 * Returns a single line of text that is valid in XML, without lone surrogates or long runs of combining marks. A text
 * that is too long is cut and ends with `…`. Control and format characters are removed, since bidi overrides would
 * reorder the text. ZWJ and ZWNJ stay, because emoji and Persian need them.
 */
export function sanitiseText(text: string): string {
  const plainText = text
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\s\u2028\u2029\u0085]+/g, ' ')
    .replace(/[^\P{C}\u200c\u200d]|[\ufffd-\uffff]/gu, '')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim()
  const graphemes = splitGraphemes(plainText).filter((grapheme) => grapheme.length <= 24)
  let byteCount = 0
  const endIndex = graphemes.findIndex((grapheme, index) => {
    byteCount += Buffer.byteLength(grapheme)
    return index >= MAX_TEXT_GRAPHEMES || byteCount > MAX_TEXT_BYTES
  })
  if (endIndex < 0) return graphemes.join('')
  const truncatedText = graphemes.slice(0, endIndex - 1).join('')
  const lastSpaceIndex = truncatedText.lastIndexOf(' ')
  return `${lastSpaceIndex > MAX_TEXT_GRAPHEMES / 2 ? truncatedText.slice(0, lastSpaceIndex) : truncatedText}…`
}

/** True if the first letter belongs to a right-to-left script such as Arabic or Hebrew. */
export function isRtl(text: string): boolean {
  const firstLetter = /\p{L}/u.exec(text)?.[0] ?? ''
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(firstLetter)
}

/**
 * True if the text contains a script whose letters join, such as Arabic or Devanagari. Letter spacing would separate
 * these letters.
 */
export const hasJoinedScript = (text: string): boolean =>
  /[\u0600-\u08ff\u0900-\u0dff\ufb50-\ufefc]/.test(text)

export interface TitleWord {
  readonly text: string
  /** Separator before the word, unless the word starts a line. */
  readonly separator: '' | ' '
}

const UNSPACED_SCRIPTS_PATTERN =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/

/**
 * Splits a text into the pieces between which a line may break. Intl.Segmenter finds the words of scripts without
 * spaces (Chinese, Thai).
 */
export function splitTitleWords(text: string, lang: string): TitleWord[] {
  const titleWords: TitleWord[] = []
  for (const token of text.split(' ').filter(Boolean)) {
    const wordPieces = UNSPACED_SCRIPTS_PATTERN.test(token)
      ? splitUnspacedText(token, lang)
      : splitLongWord(token)
    wordPieces.forEach((wordPiece, index) => {
      titleWords.push({ text: wordPiece, separator: index === 0 ? ' ' : '' })
    })
  }
  return titleWords
}

/** Splits text of a script without spaces. Punctuation is appended to the word before it. */
function splitUnspacedText(token: string, lang: string): string[] {
  const wordPieces: string[] = []
  for (const segment of new Intl.Segmenter(lang, { granularity: 'word' }).segment(token))
    if (segment.isWordLike || wordPieces.length === 0) wordPieces.push(segment.segment)
    else wordPieces[wordPieces.length - 1] += segment.segment
  return wordPieces.flatMap(splitLongWord)
}

/** Splits words of more than 22 letters, which do not fit on a line at a legible font size. */
function splitLongWord(token: string): string[] {
  const graphemes = splitGraphemes(token)
  if (graphemes.length <= 22) return [token]
  const pieceCount = Math.ceil(graphemes.length / 16)
  const pieceLength = Math.ceil(graphemes.length / pieceCount)
  return Array.from({ length: pieceCount }, (_, i) =>
    graphemes.slice(i * pieceLength, (i + 1) * pieceLength).join(''),
  ).filter(Boolean)
}
