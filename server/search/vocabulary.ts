/**
 * The words of the index in memory, sorted, for finding the ones near a misspelt word.
 * About 2 bytes a letter and 5 bytes a word: 1,000,000 words are some 25 MB. No database in here.
 */

export type Vocabulary = {
  size: number
  letters: Uint16Array
  /** Where word i starts in `letters`; one more entry than words. */
  starts: Uint32Array
  /** How many letters word i shares with word i-1. */
  shared: Uint8Array
  /** How common word i is: 8 log2(1 + documents), at most 255. */
  weight: Uint8Array
}

const maxLetters = 40

/** Packs words, which are given in sorted order (any order that keeps words with a common beginning together). */
export class Packer {
  #letters = new Uint16Array(1 << 16)
  #starts = new Uint32Array(1 << 13)
  #shared = new Uint8Array(1 << 13)
  #weight = new Uint8Array(1 << 13)
  #size = 0
  #end = 0
  #before = ''

  add(word: string, documents: number): void {
    const before = this.#before
    if (word.length > maxLetters || word === before) return
    this.#makeRoom(word.length)
    let same = 0
    while (same < word.length && word.charCodeAt(same) === before.charCodeAt(same)) same += 1
    this.#starts[this.#size] = this.#end
    this.#shared[this.#size] = same
    this.#weight[this.#size] = Math.min(255, Math.round(8 * Math.log2(1 + documents)))
    for (let i = 0; i < word.length; i += 1) this.#letters[this.#end + i] = word.charCodeAt(i)
    this.#end += word.length
    this.#size += 1
    this.#before = word
  }

  packed(): Vocabulary {
    const [size, end] = [this.#size, this.#end]
    this.#starts[size] = end
    return {
      size,
      letters: this.#letters.slice(0, end),
      starts: this.#starts.slice(0, size + 1),
      shared: this.#shared.slice(0, size),
      weight: this.#weight.slice(0, size),
    }
  }

  #makeRoom(letters: number): void {
    const wide = this.#letters.length
    if (this.#end + letters > wide) this.#letters = grown(this.#letters, new Uint16Array(wide * 2))
    if (this.#size + 2 <= this.#starts.length) return
    const long = this.#starts.length * 2
    this.#starts = grown(this.#starts, new Uint32Array(long))
    this.#shared = grown(this.#shared, new Uint8Array(long))
    this.#weight = grown(this.#weight, new Uint8Array(long))
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

export function wordAt(vocabulary: Vocabulary, i: number): string {
  const { letters, starts } = vocabulary
  return String.fromCharCode(...letters.subarray(starts[i], starts[i + 1]))
}

export type Near = {
  word: string
  distance: number
  weight: number
  /** Only the beginning of a word: look up everything that starts so. */
  beginning: boolean
}

const width = maxLetters + 2

/**
 * Words at most `edits` insertions, deletions, replacements or neighbour swaps away from `typed`.
 * With `sameFirst` only words with its first letter: what makes two edits affordable on a large vocabulary.
 * With `open` (the viewer is still typing) also the beginnings of words that are that near.
 */
export function wordsNear(
  vocabulary: Vocabulary,
  typed: string,
  { edits, sameFirst, open }: { edits: number; sameFirst: boolean; open: boolean },
): Near[] {
  const query = typed.slice(0, maxLetters)
  const m = query.length
  const table = new Uint8Array(width * width)
  for (let j = 0; j <= m; j += 1) table[j] = j
  const found: Near[] = []
  const { size, letters, starts, shared, weight } = vocabulary
  let valid = 0 // rows 0..valid of the table belong to the letters of the current word
  let dead = 0 // a beginning of this length is already too far (0: none)
  let begun = 0 // a beginning of this length was reported (0: none)
  for (let i = 0; i < size; i += 1) {
    const common = shared[i] ?? 0
    if (dead > 0 && common >= dead) continue
    dead = 0
    if (valid > common) valid = common
    if (begun > common) begun = 0
    const from = starts[i] ?? 0
    const length = (starts[i + 1] ?? 0) - from
    if (sameFirst && letters[from] !== query.charCodeAt(0)) {
      dead = 1
      continue
    }
    for (let d = valid + 1; d <= length && dead === 0; d += 1) {
      if (fillTable(table, query, letters, from, d) > edits) dead = d
      valid = d
      const distance = table[d * width + m] ?? 255
      if (distance > edits) continue
      if (d === length)
        found.push({ word: wordAt(vocabulary, i), distance, weight: weight[i] ?? 0, beginning: false })
      else if (open && begun === 0 && d >= m - 1) {
        begun = d
        const word = String.fromCharCode(...letters.subarray(from, from + d))
        found.push({ word, distance, weight: 0, beginning: true })
      }
    }
  }
  return found
}

/** Row d of the edit table: the first d letters of the word against every beginning of the query. */
function fillTable(table: Uint8Array, query: string, letters: Uint16Array, from: number, d: number): number {
  const m = query.length
  const c = letters[from + d - 1] ?? 0
  const row = d * width
  const above = row - width
  table[row] = d
  let least = d
  for (let j = 1; j <= m; j += 1) {
    const q = query.charCodeAt(j - 1)
    let cost = (table[above + j - 1] ?? 0) + (q === c ? 0 : 1)
    cost = Math.min(cost, (table[above + j] ?? 0) + 1, (table[row + j - 1] ?? 0) + 1)
    if (d > 1 && j > 1 && q === letters[from + d - 2] && c === query.charCodeAt(j - 2)) {
      cost = Math.min(cost, (table[above - width + j - 2] ?? 0) + 1)
    }
    table[row + j] = cost
    if (cost < least) least = cost
  }
  return least
}
