import type { Lettering } from './stage.ts'
import type { Word } from './words.ts'

interface Line {
  readonly text: string
  /** In em of the face. */
  readonly width: number
}

export interface Setting {
  readonly lines: readonly (Line & { readonly size: number })[]
  readonly height: number
}

/** Breaks into `count` lines so that the widest is as narrow as possible (dynamic programming, few words). */
export function balance(list: readonly Word[], count: number, measure: (text: string) => number): Line[] {
  const size = list.length
  const space = measure(' ')
  const sums = [0]
  for (const word of list) sums.push(sums.at(-1)! + (word.glue ? space : 0) + measure(word.text))
  const width = (from: number, to: number) => sums[to]! - sums[from]! - (list[from]!.glue ? space : 0)
  const best: { cost: number; from: number }[][] = [[{ cost: 0, from: 0 }]]
  for (let k = 1; k <= count; k++) {
    const row: { cost: number; from: number }[] = []
    for (let end = k; end <= size - (count - k); end++)
      for (let from = k - 1; from < end; from++) {
        const before = best[k - 1]?.[from]
        if (!before) continue
        const cost = Math.max(before.cost, width(from, end))
        const known = row[end]
        if (!known || cost < known.cost) row[end] = { cost, from }
      }
    best.push(row)
  }
  const lines: Line[] = []
  for (let k = count, end = size; k > 0; k--) {
    const from = best[k]![end]!.from
    const text = list.slice(from, end).reduce((line, word) => line + (line && word.glue) + word.text, '')
    lines.unshift({ text, width: Math.max(0.4, width(from, end)) })
    end = from
  }
  return lines
}

/** The setting with the most ink that stays inside the box; one more line must win an eighth. */
export function compose(
  list: readonly Word[],
  spec: Lettering,
  leading: number,
  measure: (text: string) => number,
): Setting {
  const [, , w, h] = spec.box
  const max = spec.max ?? 60
  const stack = spec.mode === 'stack'
  let chosen: Setting = { lines: [], height: 0 }
  let score = 0
  for (let count = 1; count <= Math.min(list.length, 7); count++) {
    const broken = balance(list, count, measure)
    const even = Math.min(max, w / Math.max(...broken.map((line) => line.width)))
    let sizes = broken.map((line) => (stack ? Math.min(max * 1.5, even * 2.1, w / line.width) : even))
    const sum = sizes.reduce((a, b) => a + b, 0) * leading
    if (sum > h) sizes = sizes.map((size) => (size * h) / sum)
    const ink = broken.reduce((a, line, i) => a + line.width * sizes[i]! ** 2, 0)
    if (ink <= score * 1.12) continue
    score = ink
    chosen = { lines: broken.map((line, i) => ({ ...line, size: sizes[i]! })), height: Math.min(sum, h) }
  }
  return chosen
}
