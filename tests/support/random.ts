/** Random choices of tests. The same seed gives the same numbers, so that failures are repeatable. */
import { createSeededGenerator } from '../../server/images/random.ts'

/** Returns a generator of integers from 0 to `exclusiveMax` - 1. */
export function createIntegerGenerator(seed: number): (exclusiveMax: number) => number {
  const drawNumber = createSeededGenerator(seed)
  return (exclusiveMax) => (drawNumber() * 2 ** 32) % exclusiveMax
}
