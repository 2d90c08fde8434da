import type { TitleLettering } from './stage.ts'
import type { TitleWord } from './title-text.ts'

interface TextLine {
  readonly text: string
  readonly widthEm: number
}

/** A title broken into lines. Font sizes and the total height are in units of the poster stage. */
export interface TypesetTitle {
  readonly lines: readonly (TextLine & { readonly size: number })[]
  readonly height: number
}

/** Breaks words into `lineCount` lines so that the widest line is as narrow as possible, by dynamic programming. */
export function balanceLines(
  words: readonly TitleWord[],
  lineCount: number,
  measureWidth: (text: string) => number,
): TextLine[] {
  const wordCount = words.length
  const spaceWidth = measureWidth(' ')
  const cumulativeWidths = [0]
  for (const word of words)
    cumulativeWidths.push(
      cumulativeWidths.at(-1)! + (word.separator ? spaceWidth : 0) + measureWidth(word.text),
    )
  const getLineWidth = (startIndex: number, endIndex: number) =>
    cumulativeWidths[endIndex]! -
    cumulativeWidths[startIndex]! -
    (words[startIndex]!.separator ? spaceWidth : 0)
  const bestBreaksByLine: { cost: number; startIndex: number }[][] = [[{ cost: 0, startIndex: 0 }]]
  for (let lineIndex = 1; lineIndex <= lineCount; lineIndex++) {
    const lineBreaks: { cost: number; startIndex: number }[] = []
    for (let endIndex = lineIndex; endIndex <= wordCount - (lineCount - lineIndex); endIndex++)
      for (let startIndex = lineIndex - 1; startIndex < endIndex; startIndex++) {
        const previousBreak = bestBreaksByLine[lineIndex - 1]?.[startIndex]
        if (!previousBreak) continue
        const cost = Math.max(previousBreak.cost, getLineWidth(startIndex, endIndex))
        const currentBreak = lineBreaks[endIndex]
        if (!currentBreak || cost < currentBreak.cost) lineBreaks[endIndex] = { cost, startIndex }
      }
    bestBreaksByLine.push(lineBreaks)
  }
  const textLines: TextLine[] = []
  for (let lineIndex = lineCount, endIndex = wordCount; lineIndex > 0; lineIndex--) {
    const startIndex = bestBreaksByLine[lineIndex]![endIndex]!.startIndex
    const lineText = words
      .slice(startIndex, endIndex)
      .reduce((line, word) => line + (line && word.separator) + word.text, '')
    textLines.unshift({ text: lineText, widthEm: Math.max(0.4, getLineWidth(startIndex, endIndex)) })
    endIndex = startIndex
  }
  return textLines
}

/**
 * Chooses the number of lines with which the title fills the box best. More lines are chosen only if the title then
 * covers over 12 % more area.
 */
export function typesetTitle(
  words: readonly TitleWord[],
  lettering: TitleLettering,
  leading: number,
  measureWidth: (text: string) => number,
): TypesetTitle {
  const [, , boxWidth, boxHeight] = lettering.box
  const maxFontSize = lettering.maxFontSize ?? 60
  const isStacked = lettering.layout === 'stack'
  let bestLayout: TypesetTitle = { lines: [], height: 0 }
  let bestArea = 0
  for (let lineCount = 1; lineCount <= Math.min(words.length, 7); lineCount++) {
    const balancedLines = balanceLines(words, lineCount, measureWidth)
    const uniformFontSize = Math.min(
      maxFontSize,
      boxWidth / Math.max(...balancedLines.map((line) => line.widthEm)),
    )
    let sizes = balancedLines.map((line) =>
      isStacked
        ? Math.min(maxFontSize * 1.5, uniformFontSize * 2.1, boxWidth / line.widthEm)
        : uniformFontSize,
    )
    const totalHeight = sizes.reduce((sum, size) => sum + size, 0) * leading
    if (totalHeight > boxHeight) sizes = sizes.map((size) => (size * boxHeight) / totalHeight)
    const area = balancedLines.reduce((sum, line, i) => sum + line.widthEm * sizes[i]! ** 2, 0)
    if (area <= bestArea * 1.12) continue
    bestArea = area
    bestLayout = {
      lines: balancedLines.map((line, i) => ({ ...line, size: sizes[i]! })),
      height: Math.min(totalHeight, boxHeight),
    }
  }
  return bestLayout
}
