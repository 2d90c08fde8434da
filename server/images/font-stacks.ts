import type { TypefaceName } from './stage.ts'

/**
 * Font families in order of preference: the names of the fonts of Apple systems, Windows, Android and Linux. Only fonts
 * of the system are listed, because an SVG inside <img> cannot load fonts.
 */
interface FontStack {
  readonly family: string
  readonly weight: number
  /** Width of the widest font of the stack relative to Helvetica Bold. */
  readonly relativeWidth: number
  /** Line height in em. */
  readonly leading: number
  /** Style of the Arabic letters that suits these Latin fonts. */
  readonly arabicStyle: 'kufi' | 'naskh' | 'modern'
}

export const fontStacks: Readonly<Record<TypefaceName, FontStack>> = {
  condensed: {
    family: "'Avenir Next Condensed','Roboto Condensed','Arial Narrow','Liberation Sans Narrow',sans-serif",
    weight: 700,
    relativeWidth: 0.84,
    leading: 0.98,
    arabicStyle: 'modern',
  },
  heavy: {
    family: "Impact,Anton,'Haettenschweiler','Roboto Condensed','Liberation Sans Narrow',sans-serif",
    weight: 700,
    relativeWidth: 0.86,
    leading: 0.96,
    arabicStyle: 'kufi',
  },
  grotesk: {
    family: "'Helvetica Neue',Helvetica,Arial,'Liberation Sans',Roboto,sans-serif",
    weight: 700,
    relativeWidth: 1.02,
    leading: 1,
    arabicStyle: 'modern',
  },
  geometric: {
    family: "Futura,'Century Gothic','URW Gothic',Montserrat,'Noto Sans',sans-serif",
    weight: 600,
    relativeWidth: 1.03,
    leading: 1.08,
    arabicStyle: 'kufi',
  },
  didone: {
    family: "Didot,'Bodoni MT','Playfair Display','Times New Roman','Liberation Serif',serif",
    weight: 400,
    relativeWidth: 0.94,
    leading: 1.04,
    arabicStyle: 'naskh',
  },
  oldstyle: {
    family: "'Hoefler Text','Palatino Linotype',Palatino,P052,'Noto Serif',Georgia,serif",
    weight: 700,
    relativeWidth: 1.04,
    leading: 1.06,
    arabicStyle: 'naskh',
  },
  slab: {
    family: "Rockwell,'Bookman Old Style','URW Bookman','Roboto Slab','Noto Serif',serif",
    weight: 700,
    relativeWidth: 1.16,
    leading: 1.04,
    arabicStyle: 'kufi',
  },
  script: {
    family: "'Snell Roundhand','Segoe Script',Z003,'Dancing Script',cursive",
    weight: 500,
    relativeWidth: 0.86,
    leading: 1,
    arabicStyle: 'naskh',
  },
  mono: {
    family: "'American Typewriter','Courier New','Nimbus Mono PS','Liberation Mono',monospace",
    weight: 700,
    relativeWidth: 1,
    leading: 1.1,
    arabicStyle: 'modern',
  },
}

export const arabicFontStacks = {
  kufi: {
    family: "'Noto Kufi Arabic','SF Arabic','Geeza Pro','Segoe UI',Tahoma,sans-serif",
    relativeWidth: 1.38,
  },
  naskh: {
    family: "'Noto Naskh Arabic','Sakkal Majalla','Geeza Pro','Times New Roman',serif",
    relativeWidth: 1.04,
  },
  modern: {
    family: "'Noto Sans Arabic','SF Arabic','Geeza Pro','Segoe UI',Roboto,sans-serif",
    relativeWidth: 1.2,
  },
} as const

/** Line height of Arabic in em; Arabic letters are taller than Latin ones. */
export const ARABIC_LINE_HEIGHT = 1.42

/**
 * Advance widths of Helvetica Bold for U+0020 to U+007E: two digits per character, in hundredths of the font size
 * (Adobe's AFM, rounded).
 */
const LATIN_ADVANCES =
  '28334756568972243333395828332828565656565656565656563333585858619872727272676178722856726183727867787267' +
  '61726794676761332833585633566156615633616128285628896161616139563361567856565039283958'

/**
 * Advance widths of Arabic letters in em, divided by `relativeWidth`. The first number is the width before another
 * letter of the word, the second one the width at the end of a word. Each is the largest width in the bold styles of
 * Noto Naskh, Sans and Kufi Arabic, rounded up.
 */
const ARABIC_ADVANCES: readonly [letters: string, beforeLetterEm: number, atWordEndEm: number][] = [
  ['ا', 0.3, 0.3],
  ['دذرزژوة', 0.5, 0.5],
  ['لنيىی', 0.4, 0.72],
  ['بتثپ', 0.4, 0.95],
  ['ق', 0.5, 0.72],
  ['ف', 0.5, 0.95],
  ['كکگ', 0.5, 0.82],
  ['معغ', 0.6, 0.6],
  ['جحخچهھ', 0.7, 0.7],
  ['طظ', 0.7, 0.82],
  ['سشصض', 0.87, 1.2],
]
const DEFAULT_ARABIC_ADVANCE_EM = 0.56
const ARABIC_LETTER_START_PATTERN = /^(?=\p{L})\p{Script_Extensions=Arabic}/u

/** Returns the advance width of an Arabic grapheme in em, divided by `relativeWidth`. */
function getArabicAdvance(grapheme: string, baseLetter: string, nextGrapheme: string): number {
  // A zero-width non-joiner ends the joined part of a word.
  const isWordEnd = grapheme.includes('\u200c') || !ARABIC_LETTER_START_PATTERN.test(nextGrapheme)
  const advances = ARABIC_ADVANCES.find(([letters]) => letters.includes(baseLetter))
  return advances?.[isWordEnd ? 2 : 1] ?? DEFAULT_ARABIC_ADVANCE_EM
}

/**
 * Estimates the advance width of a grapheme in em. Arabic letters are wider at the end of a word, so the width depends
 * on the next grapheme, which is empty at the end of the text. The estimate is high rather than low, so that the text
 * also fits with wider fonts.
 */
export function estimateAdvance(grapheme: string, typeface: TypefaceName, nextGrapheme = ''): number {
  const baseCharacter = grapheme.normalize('NFD').charAt(0)
  const characterCode = baseCharacter.charCodeAt(0)
  const fontStack = fontStacks[typeface]
  if (characterCode >= 0x20 && characterCode < 0x7f) {
    if (typeface === 'mono') return 0.61
    return (
      (Number(LATIN_ADVANCES.slice((characterCode - 32) * 2, (characterCode - 32) * 2 + 2)) / 100) *
      fontStack.relativeWidth
    )
  }
  if (characterCode < 0x250) return 0.64 * fontStack.relativeWidth
  if (characterCode < 0x590) return 0.74 * fontStack.relativeWidth
  if (characterCode < 0x900)
    return (
      getArabicAdvance(grapheme, baseCharacter, nextGrapheme) *
      arabicFontStacks[fontStack.arabicStyle].relativeWidth
    )
  return characterCode >= 0x2000 && characterCode < 0x2100 ? 0.6 : 1.04
}
