/** "Must end by": which titles end before a clock time. */
import { expect, it } from 'vitest'
import {
  getEndMinuteOfDay,
  getMinutesUntil,
  parseClockTime,
  toClockText,
} from '../../src/lib/rules/end-by.ts'

const parseMinuteOfDay = (clockText: string) => parseClockTime(clockText) ?? Number.NaN

it('getMinutesUntil counts the minutes until a clock time, which may be after midnight', () => {
  expect(getMinutesUntil(parseMinuteOfDay('21:30'), parseMinuteOfDay('20:00'))).toBe(90)
  expect(getMinutesUntil(parseMinuteOfDay('00:30'), parseMinuteOfDay('23:00'))).toBe(90)
  expect(getMinutesUntil(parseMinuteOfDay('21:30'), parseMinuteOfDay('21:30'))).toBe(0)
})

it('getMinutesUntil returns 0 for a clock time that has just passed', () => {
  expect(getMinutesUntil(parseMinuteOfDay('21:30'), parseMinuteOfDay('21:31'))).toBe(0)
})

it('getEndMinuteOfDay returns the minute of the day at which a title ends', () => {
  expect(toClockText(getEndMinuteOfDay(parseMinuteOfDay('23:10'), 100 * 60))).toBe('00:50')
  expect(toClockText(getEndMinuteOfDay(parseMinuteOfDay('20:00'), 59))).toBe('20:01')
})

it('parseClockTime returns null for a text that is not a clock time', () => {
  for (const text of ['', '24:00', '9:30', '21:60', 'noon', null]) expect(parseClockTime(text)).toBeNull()
})
