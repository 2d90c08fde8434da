/** Returns a 32-bit hash of a text: FNV-1a, then a final mixing step. The hash is the same on every machine. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

export interface RandomGenerator {
  /** Returns a random number in [low, high). */
  pickNumber(low: number, high: number): number
  /** Returns a random integer in [low, high]. */
  pickInteger(low: number, high: number): number
  /** Returns a random item. */
  pick<T>(items: readonly T[]): T
  /** Returns true with the given probability, 0 to 1. */
  pickBoolean(probability: number): boolean
}

/** Returns a function that returns pseudorandom numbers in [0, 1), which depend only on the seed (mulberry32). */
export function createSeededGenerator(seed: number): () => number {
  let generatorState = seed
  return () => {
    generatorState = (generatorState + 0x6d2b79f5) | 0
    let mixedBits = Math.imul(generatorState ^ (generatorState >>> 15), 1 | generatorState)
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4294967296
  }
}

/** Creates a pseudorandom number generator. Its numbers depend only on the seed, so that images are reproducible. */
export function createRandomGenerator(seed: string): RandomGenerator {
  const nextNumber = createSeededGenerator(hashText(seed))
  return {
    pickNumber: (low, high) => low + nextNumber() * (high - low),
    pickInteger: (low, high) => low + Math.floor(nextNumber() * (high - low + 1)),
    pick: (items) => items[Math.floor(nextNumber() * items.length)]!,
    pickBoolean: (probability) => nextNumber() < probability,
  }
}
