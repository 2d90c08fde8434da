import type { Lettering } from './stage.ts'
import type { TitleWord } from './title-text.ts'

interface Line {
  readonly text: string
  /** Width in em. */
  readonly width: number
}

/** A title broken into lines. Font sizes and the total height are in units of the poster stage. */
export interface TypesetTitle {
  readonly lines: readonly (Line & { readonly size: number })[]
  readonly height: number
}

/** Breaks words into `count` lines so that the widest line is as narrow as possible, by dynamic programming. */
export function balanceLines(
  words: readonly TitleWord[],
  count: number,
  measure: (text: string) => number,
): Line[] {
  const wordCount = words.length
  const space = measure(' ')
  const sums = [0]
  for (const word of words) sums.push(sums.at(-1)! + (word.separator ? space : 0) + measure(word.text))
  const getWidth = (from: number, to: number) =>
    sums[to]! - sums[from]! - (words[from]!.separator ? space : 0)
  const bestBreaks: { cost: number; from: number }[][] = [[{ cost: 0, from: 0 }]]
  for (let lineIndex = 1; lineIndex <= count; lineIndex++) {
    const row: { cost: number; from: number }[] = []
    for (let end = lineIndex; end <= wordCount - (count - lineIndex); end++)
      for (let from = lineIndex - 1; from < end; from++) {
        const previousBreak = bestBreaks[lineIndex - 1]?.[from]
        if (!previousBreak) continue
        const cost = Math.max(previousBreak.cost, getWidth(from, end))
        const current = row[end]
        if (!current || cost < current.cost) row[end] = { cost, from }
      }
    bestBreaks.push(row)
  }
  const lines: Line[] = []
  for (let lineIndex = count, end = wordCount; lineIndex > 0; lineIndex--) {
    const from = bestBreaks[lineIndex]![end]!.from
    const text = words
      .slice(from, end)
      .reduce((line, word) => line + (line && word.separator) + word.text, '')
    lines.unshift({ text, width: Math.max(0.4, getWidth(from, end)) })
    end = from
  }
  return lines
}

/** Chooses the number of lines that fills the box best. Another line must increase the filled area by 12 %. */
export function typesetTitle(
  words: readonly TitleWord[],
  spec: Lettering,
  leading: number,
  measure: (text: string) => number,
): TypesetTitle {
  const [, , w, h] = spec.box
  const maxFontSize = spec.maxFontSize ?? 60
  const isStacked = spec.mode === 'stack'
  let best: TypesetTitle = { lines: [], height: 0 }
  let bestArea = 0
  for (let count = 1; count <= Math.min(words.length, 7); count++) {
    const brokenLines = balanceLines(words, count, measure)
    const evenSize = Math.min(maxFontSize, w / Math.max(...brokenLines.map((line) => line.width)))
    let sizes = brokenLines.map((line) =>
      isStacked ? Math.min(maxFontSize * 1.5, evenSize * 2.1, w / line.width) : evenSize,
    )
    const totalHeight = sizes.reduce((sum, size) => sum + size, 0) * leading
    if (totalHeight > h) sizes = sizes.map((size) => (size * h) / totalHeight)
    const area = brokenLines.reduce((sum, line, i) => sum + line.width * sizes[i]! ** 2, 0)
    if (area <= bestArea * 1.12) continue
    bestArea = area
    best = {
      lines: brokenLines.map((line, i) => ({ ...line, size: sizes[i]! })),
      height: Math.min(totalHeight, h),
    }
  }
  return best
}
