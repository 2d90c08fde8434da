/** Dates of history files whose month is a word. */
import { describe, expect, it } from 'vitest'
import { createDateParser, parseSingleDate } from '../../../../server/importers/history/column-dates.ts'
import { parseDateInWords } from '../../../../server/importers/history/date-in-words.ts'

const NOW_MS = Date.parse('2026-11-29T12:00:00Z')
const LOCALES = 'en-US en-GB fr de es pt-BR pt-PT it nl ar-EG ar-SY ar-DZ ar-MA'.split(' ')
const LAST_DAYS_OF_MONTHS = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2021, index + 1, 0)))

describe.each(LOCALES)('dates in the locale %s', (locale) => {
  it.each(['full', 'long', 'medium'] as const)(
    'the last day of every month is read when browsers have formatted it in the style "%s"',
    (dateStyle) => {
      const format = new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' })
      const parsedDates = LAST_DAYS_OF_MONTHS.map((day) => parseSingleDate(format.format(day), NOW_MS))
      expect(parsedDates).toEqual(LAST_DAYS_OF_MONTHS.map((day) => day.toISOString().slice(0, 10)))
    },
  )
})

it.each([
  ['Mar 4, 2021', '2021-03-04'],
  ['March 4th, 2021', '2021-03-04'],
  ['the 4th of March 2021', '2021-03-04'],
  ['04-Mar-2021', '2021-03-04'],
  ['4/mar/21', '2021-03-04'],
  ['2021 March 4', '2021-03-04'],
  ['Thu Mar 04 2021', '2021-03-04'],
  ['4. März 2021', '2021-03-04'],
  ['1er août 2022', '2022-08-01'],
  ['mar. 4 mai 2021', '2021-05-04'],
  ['mar 4 mag 2021', '2021-05-04'],
  ['4 DE MARZO DE 2021', '2021-03-04'],
  ['٤ مارس ٢٠٢١', '2021-03-04'],
  ['4 كانون الثاني 2021', '2021-01-04'],
  ['4\u200f مارس\u200f 2021', '2021-03-04'],
])('the date "%s" is read as %s', (dateText, day) => {
  expect(parseDateInWords(dateText)).toBe(day)
})

it.each([
  'March 2021',
  '4 March',
  'Mar 4 21',
  'Marching 4, 2021',
  'summer 2022',
  '4 Foober 2021',
  '1 of 2 March 2021',
  '4 March 20215',
])('no date is found in "%s"', (dateText) => {
  expect(parseDateInWords(dateText)).toBeUndefined()
})

it('a time after a date in words is read, and a day that does not exist or is in the future is reported as impossible', () => {
  expect(parseSingleDate('Mar 4, 2021, 8:15 PM', NOW_MS)).toBe('2021-03-04T20:15:00Z')
  expect(parseSingleDate('30 February 2021', NOW_MS)).toBeNull()
  expect(parseSingleDate('4 March 2029', NOW_MS)).toBeNull()
})

it('all dates of a column are read if the column contains both numeric dates and dates in words', async () => {
  const csv = 'Title,Watched\nHeat,13/02/2021\nUp,4 mars 2021\nHer,15/03/2021\n'
  const parseDate = await createDateParser(
    async function* () {
      yield Buffer.from(csv)
    },
    ['watched'],
    NOW_MS,
  )
  expect(['13/02/2021', '4 mars 2021', '15/03/2021'].map(parseDate)).toEqual([
    '2021-02-13',
    '2021-03-04',
    '2021-03-15',
  ])
})

it('five hostile texts of about 100 characters are parsed 100 times each in less than two seconds', () => {
  const hostileTexts = [
    ' '.repeat(100),
    '1'.repeat(100),
    'a '.repeat(50),
    '1 de '.repeat(20),
    '1mar'.repeat(25),
  ]
  const startedAtMs = performance.now()
  for (let round = 0; round < 100; round++) for (const text of hostileTexts) parseDateInWords(text)
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
})
