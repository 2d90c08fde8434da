import type { Face } from './stage.ts'

/**
 * Stacks of fonts people already have (Apple, Windows, Android and Linux names in turn): a picture inside <img>
 * cannot load any. `wide` is the width of the letters relative to Helvetica Bold, the widest of the stack.
 */
interface Stack {
  readonly family: string
  readonly weight: number
  readonly wide: number
  readonly leading: number
  /** Which Arabic stack has the same temper. */
  readonly arabic: 'kufi' | 'naskh' | 'modern'
}

export const faces: Readonly<Record<Face, Stack>> = {
  condensed: {
    family: "'Avenir Next Condensed','Roboto Condensed','Arial Narrow','Liberation Sans Narrow',sans-serif",
    weight: 700,
    wide: 0.84,
    leading: 0.98,
    arabic: 'modern',
  },
  heavy: {
    family: "Impact,Anton,'Haettenschweiler','Roboto Condensed','Liberation Sans Narrow',sans-serif",
    weight: 700,
    wide: 0.86,
    leading: 0.96,
    arabic: 'kufi',
  },
  grotesk: {
    family: "'Helvetica Neue',Helvetica,Arial,'Liberation Sans',Roboto,sans-serif",
    weight: 700,
    wide: 1.02,
    leading: 1,
    arabic: 'modern',
  },
  geometric: {
    family: "Futura,'Century Gothic','URW Gothic',Montserrat,'Noto Sans',sans-serif",
    weight: 600,
    wide: 1.03,
    leading: 1.08,
    arabic: 'kufi',
  },
  didone: {
    family: "Didot,'Bodoni MT','Playfair Display','Times New Roman','Liberation Serif',serif",
    weight: 400,
    wide: 0.94,
    leading: 1.04,
    arabic: 'naskh',
  },
  oldstyle: {
    family: "'Hoefler Text','Palatino Linotype',Palatino,P052,'Noto Serif',Georgia,serif",
    weight: 700,
    wide: 1.04,
    leading: 1.06,
    arabic: 'naskh',
  },
  slab: {
    family: "Rockwell,'Bookman Old Style','URW Bookman','Roboto Slab','Noto Serif',serif",
    weight: 700,
    wide: 1.16,
    leading: 1.04,
    arabic: 'kufi',
  },
  script: {
    family: "'Snell Roundhand','Segoe Script',Z003,'Dancing Script',cursive",
    weight: 500,
    wide: 0.86,
    leading: 1,
    arabic: 'naskh',
  },
  mono: {
    family: "'American Typewriter','Courier New','Nimbus Mono PS','Liberation Mono',monospace",
    weight: 700,
    wide: 1,
    leading: 1.1,
    arabic: 'modern',
  },
}

export const arabicFaces = {
  kufi: { family: "'Noto Kufi Arabic','SF Arabic','Geeza Pro','Segoe UI',Tahoma,sans-serif", wide: 1.38 },
  naskh: { family: "'Noto Naskh Arabic','Sakkal Majalla','Geeza Pro','Times New Roman',serif", wide: 1.04 },
  modern: { family: "'Noto Sans Arabic','SF Arabic','Geeza Pro','Segoe UI',Roboto,sans-serif", wide: 1.2 },
} as const

/** The first baseline of an Arabic line lies lower and lines stand further apart. */
export const arabicLeading = 1.42

/** Advance widths of Helvetica Bold for U+0020 to U+007E, in hundredths of the size (Adobe's AFM, rounded). */
const latin =
  '28334756568972243333395828332828565656565656565656563333585858619872727272676178722856726183727867787267' +
  '61726794676761332833585633566156615633616128285628896161616139563361567856565039283958'

/** Isolated and final forms are wide, these letters are not. */
const narrowArabic = /[اأإآلبتثنيئىذدرزوؤفق]/
const wideArabic = /[سشصضطظكمهـةغعجحخ]/

/** Advance of one grapheme in em at the given face. An estimate on the safe side: fonts differ per system. */
export function advance(grapheme: string, face: Face): number {
  const base = grapheme.normalize('NFD').charAt(0)
  const code = base.charCodeAt(0)
  const stack = faces[face]
  if (code >= 0x20 && code < 0x7f) {
    if (face === 'mono') return 0.61
    return (Number(latin.slice((code - 32) * 2, (code - 32) * 2 + 2)) / 100) * stack.wide
  }
  if (code < 0x250) return 0.64 * stack.wide
  if (code < 0x590) return 0.74 * stack.wide
  if (code < 0x900) {
    const letter = /[اأإآل]/.test(base)
      ? 0.3
      : narrowArabic.test(base)
        ? 0.48
        : wideArabic.test(base)
          ? 0.68
          : 0.56
    return letter * arabicFaces[stack.arabic].wide
  }
  return code >= 0x2000 && code < 0x2100 ? 0.6 : 1.04
}
