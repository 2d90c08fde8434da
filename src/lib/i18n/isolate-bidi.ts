import { getCurrentDirection } from './t.ts'

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/**
 * Wraps a title or name in Unicode bidi isolates on right-to-left pages. Without them, `12 Angry Men` inside a sentence
 * would be displayed in the wrong order.
 */
export function isolateBidi(name: string): string {
  return getCurrentDirection() === 'rtl' ? FIRST_STRONG_ISOLATE + name + POP_ISOLATE : name
}
