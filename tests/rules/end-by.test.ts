/** "Must end by": which titles end before a clock time. */
import { expect, it } from 'vitest'
import { getEndMinute, getMinutesUntil, parseClockTime, toClockText } from '../../src/lib/rules/end-by.ts'

const parseMinute = (text: string) => parseClockTime(text) ?? Number.NaN

it('counts the minutes until a time, across midnight if necessary', () => {
  expect(getMinutesUntil(parseMinute('21:30'), parseMinute('20:00'))).toBe(90)
  expect(getMinutesUntil(parseMinute('00:30'), parseMinute('23:00'))).toBe(90)
  expect(getMinutesUntil(parseMinute('21:30'), parseMinute('21:30'))).toBe(0)
})

it('returns 0 minutes for a time that passed a moment ago, instead of the minutes until tomorrow', () => {
  expect(getMinutesUntil(parseMinute('21:30'), parseMinute('21:31'))).toBe(0)
})

it('returns the minute at which a title ends', () => {
  expect(toClockText(getEndMinute(parseMinute('23:10'), 100 * 60))).toBe('00:50')
  expect(toClockText(getEndMinute(parseMinute('20:00'), 59))).toBe('20:01')
})

it('rejects texts that are not a clock time', () => {
  for (const text of ['', '24:00', '9:30', '21:60', 'noon', null]) expect(parseClockTime(text)).toBeNull()
})
