/** Reads dates whose month is a word, such as `March 4, 2021`, `4. März 2021`, `04-Mar-21` and `٤ مارس ٢٠٢١`. */
import { removeCombiningMarks } from '../../../src/lib/rules/fold-letters.ts'
import { normaliseDateText, parseDateWithOrder } from './date-order.ts'

/**
 * Locales whose names of months are recognised: those of the languages for which record-fields.ts lists column names,
 * except Chinese, whose months have numbers. The Arabic names of months differ between regions, so there are several
 * Arabic locales.
 */
const MONTH_NAME_LOCALES = 'en-US en-GB fr de es pt-BR pt-PT it nl ar-EG ar-SY ar-DZ ar-MA pl tr ru'.split(
  ' ',
)
const MONTH_COUNT = 12

const foldText = (text: string) => removeCombiningMarks(normaliseDateText(text).toLowerCase())

/**
 * Returns the number of each month, from 1 to 12. The keys are the folded names of the months, abbreviated and in full.
 * A name is left out if it denotes different months in two locales.
 */
function collectMonthNames(): ReadonlyMap<string, number> {
  const monthsByName = new Map<string, number>()
  const ambiguousNames = new Set<string>()
  for (const locale of MONTH_NAME_LOCALES)
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 1; month <= MONTH_COUNT; month++) {
        const parts = format.formatToParts(Date.UTC(2000, month - 1, 1))
        const name = foldText(parts.find(({ type }) => type === 'month')?.value ?? '').replace('.', '')
        if (!/^\p{L}/u.test(name)) continue
        if ((monthsByName.get(name) ?? month) !== month) ambiguousNames.add(name)
        monthsByName.set(name, month)
      }
    }
  for (const name of ambiguousNames) monthsByName.delete(name)
  return monthsByName
}

interface DateGrammar {
  monthsByName: ReadonlyMap<string, number>
  patterns: readonly RegExp[]
}

/** Creates the patterns of a date. Text without digits, such as a weekday, may stand before the date. */
function createGrammar(): DateGrammar {
  const monthsByName = collectMonthNames()
  // Longer names come first, because a name can begin with another one: `mars` begins with `mar`.
  const names = [...monthsByName.keys()].sort((a, b) => b.length - a.length)
  const month = `(?<month>${names.join('|')})(?!\\p{L})`
  const day = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|o|a)?(?!\\p{L})'
  // Matches what stands between day, month and year: punctuation, spaces, and a word for "of", as in `4 de marzo de
  // 2021` and `4th of March 2021`.
  const gap = '[\\p{P}\\s]*(?:(?:de|del|of)\\s+)?'
  const [before, after] = ['^(?:\\D*[^\\p{L}\\d])?', '(?!\\d)(?:\\D.*)?$']
  const patterns = [
    `${before}${day}${gap}${month}${gap}(?<year>\\d{4}|\\d{2})${after}`,
    `${before}${month}${gap}${day}${gap}(?<year>\\d{4})${after}`,
    `${before}(?<year>\\d{4})${gap}${month}${gap}${day}${after}`,
  ]
  return { monthsByName, patterns: patterns.map((source) => new RegExp(source, 'u')) }
}

/** Created when the first date in words is read, so that the server starts without this work. */
let grammar: DateGrammar | undefined

/**
 * Returns the date as `YYYY-MM-DD`. Returns null if there is no such day, and undefined if the text is not a date with
 * the name of a month. `dateText` must be short, because the patterns are slow for long texts.
 */
export function parseDateInWords(dateText: string): string | null | undefined {
  if (!/\p{L}/u.test(dateText)) return undefined
  grammar ??= createGrammar()
  const foldedText = foldText(dateText)
  for (const pattern of grammar.patterns) {
    const { day, month = '', year } = pattern.exec(foldedText)?.groups ?? {}
    const monthNumber = grammar.monthsByName.get(month)
    if (monthNumber) return parseDateWithOrder(`${day}-${monthNumber}-${year}`, 'dmy')
  }
  return undefined
}
