/** "Must end by": which titles end before a clock time. */
import { expect, it } from 'vitest'
import { getEndMinute, getMinutesUntil, parseClockTime, toClockText } from '../../src/lib/rules/end-by.ts'

const at = (text: string) => parseClockTime(text) ?? Number.NaN

it('counts the minutes until a time, across midnight if necessary', () => {
  expect(getMinutesUntil(at('21:30'), at('20:00'))).toBe(90)
  expect(getMinutesUntil(at('00:30'), at('23:00'))).toBe(90)
  expect(getMinutesUntil(at('21:30'), at('21:30'))).toBe(0)
})

it('returns 0 minutes for a time that passed a moment ago, instead of the minutes until tomorrow', () => {
  expect(getMinutesUntil(at('21:30'), at('21:31'))).toBe(0)
})

it('returns the minute at which a title ends', () => {
  expect(toClockText(getEndMinute(at('23:10'), 100 * 60))).toBe('00:50')
  expect(toClockText(getEndMinute(at('20:00'), 59))).toBe('20:01')
})

it('rejects texts that are not a clock time', () => {
  for (const text of ['', '24:00', '9:30', '21:60', 'noon', null]) expect(parseClockTime(text)).toBeNull()
})
