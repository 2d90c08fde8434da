/** Draws the name of the site, so that its shape and width do not depend on the fonts of a device. */

/**
 * Width and strokes of each letter. The strokes are SVG path data, relative to the upper left corner of the letter.
 * Letters and digits are 10 units high, except for the tail of the Q.
 */
const LETTERS: Record<string, readonly [width: number, strokes: string]> = {
  A: [8.4, 'M0 10L4.2 0L8.4 10M1.5 6.8H6.9'],
  B: [6.4, 'M0 4.6H3.4A2.3 2.3 0 0 0 3.4 0H0V10H3.7A2.7 2.7 0 0 0 3.7 4.6'],
  C: [8.8, 'M8.8 1.8A5 5 0 1 0 8.8 8.2'],
  D: [8, 'M0 0V10H3A5 5 0 0 0 3 0Z'],
  E: [5.8, 'M5.8 0H0V10H5.8M0 5H5'],
  F: [5.8, 'M5.8 0H0V10M0 5H5'],
  G: [9.6, 'M8.6 1.6A5 5 0 1 0 9.6 5.4H6'],
  H: [7, 'M0 0V10M7 0V10M0 5H7'],
  I: [0, 'M0 0V10'],
  J: [5, 'M5 0V7A3 3 0 0 1 0 8.6'],
  K: [6.8, 'M0 0V10M6.5 0L0 6M2.4 3.9L6.8 10'],
  L: [5.4, 'M0 0V10H5.4'],
  M: [9, 'M0 10V0L4.5 6.4L9 0V10'],
  N: [7, 'M0 10V0L7 10V0'],
  O: [10, 'M5 0A5 5 0 1 1 4.99 0Z'],
  P: [6.2, 'M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0'],
  Q: [10, 'M5 0A5 5 0 1 1 4.99 0ZM6.2 6.4L10 10.4'],
  R: [6.6, 'M0 10V0H3.4A2.8 2.8 0 0 1 3.4 5.6H0M3 5.6L6.6 10'],
  S: [
    6.2,
    'M5.9 1.8C5.4 .6 4.4 0 3.1 0C1.3 0 .2 1.1 .2 2.5C.2 5.8 6.2 4.2 6.2 7.4C6.2 9 4.9 10 3.1 10C1.6 10 .5 9.3 0 8',
  ],
  T: [7, 'M0 0H7M3.5 0V10'],
  U: [7, 'M0 0V6.5A3.5 3.5 0 0 0 7 6.5V0'],
  V: [8.4, 'M0 0L4.2 10L8.4 0'],
  W: [12, 'M0 0L3 10L6 1L9 10L12 0'],
  X: [7, 'M0 0L7 10M7 0L0 10'],
  Y: [7.4, 'M0 0L3.7 5.2L7.4 0M3.7 5.2V10'],
  Z: [6.6, 'M0 0H6.6L0 10H6.6'],
  0: [6.4, 'M3.2 0A3.2 5 0 1 1 3.19 0Z'],
  1: [2.4, 'M0 1.8L2.4 0V10'],
  2: [6, 'M0 2.6A2.9 2.7 0 1 1 5 4.6L0 10H6'],
  3: [5.8, 'M0 0H5.6L2.6 4A3 3 0 1 1 0 8.6'],
  4: [6.6, 'M4.8 10V0L0 7H6.6'],
  5: [6, 'M5.4 0H.8L.4 4.4A3.1 3.1 0 1 1 0 8.8'],
  6: [6.2, 'M4.6 0L.6 5.2A3.1 3.1 0 1 0 3.1 3.8'],
  7: [6, 'M0 0H6L2 10'],
  8: [5.6, 'M2.8 0A2.3 2.3 0 1 1 2.79 0ZM2.8 4.6A2.7 2.7 0 1 1 2.79 4.6Z'],
  9: [6.2, 'M1.6 10L5.6 4.8A3.1 3.1 0 1 0 3.1 6.2'],
  '-': [3.6, 'M0 5.5H3.6'],
  '+': [6, 'M0 5H6M3 2V8'],
  '.': [0, 'M0 9V10'],
  ' ': [2, ''],
}
/** Width of the strokes, in units of the letters. */
export const STROKE_WIDTH = 2.5
const LETTER_GAP = 2.4
const DOT_RADIUS = 0.8
const DOT_DISTANCE = 4.2
/** Distance from the lower edge of the letters to the centre of the dots, in units of the letters. */
const DOT_ROW_DISTANCE = 3.6

export interface Wordmark {
  /** Width and height of the drawing, in units of the letters. */
  width: number
  height: number
  letters: readonly { x: number; strokes: string }[]
  /** Row of circles below the letters. The circles look like the bulbs of a marquee. */
  dots: readonly { x: number; y: number; radius: number }[]
}

/**
 * Returns the wordmark of a name. Returns null for an empty name, and if a character is not in LETTERS; the page then
 * displays the name as text.
 */
export function drawWordmark(name: string): Wordmark | null {
  const letters: { x: number; strokes: string }[] = []
  let x = STROKE_WIDTH / 2
  for (const character of name.trim().toUpperCase()) {
    const letter = LETTERS[character]
    if (!letter) return null
    letters.push({ x, strokes: letter[1] })
    x += letter[0] + STROKE_WIDTH + LETTER_GAP - 1
  }
  if (letters.length === 0) return null
  const width = x - STROKE_WIDTH / 2 - LETTER_GAP + 1
  const dotCount = Math.max(2, Math.round((width - 2 * DOT_RADIUS) / DOT_DISTANCE) + 1)
  const step = (width - 2 * DOT_RADIUS) / (dotCount - 1)
  const dots = Array.from({ length: dotCount }, (_, index) => ({
    x: DOT_RADIUS + index * step,
    y: 10 + STROKE_WIDTH / 2 + DOT_ROW_DISTANCE,
    radius: DOT_RADIUS,
  }))
  return { width, height: 10 + STROKE_WIDTH / 2 + DOT_ROW_DISTANCE + DOT_RADIUS, letters, dots }
}

/** Returns a number rounded to two decimals, so that the SVG attributes are short. */
export const formatSvgNumber = (value: number): string => String(Math.round(value * 100) / 100)
