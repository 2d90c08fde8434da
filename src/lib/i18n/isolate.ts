import { currentDirection } from './t.ts'

const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** A title or a name that goes into a sentence: in a page from right to left, `12 Angry Men` would else turn around. */
export function isolate(name: string): string {
  return currentDirection() === 'rtl' ? FIRST_STRONG_ISOLATE + name + POP_ISOLATE : name
}
