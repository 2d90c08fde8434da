/** Date arithmetic of the calendar: days, weeks and months. */
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  countDays,
  getFirstWeekday,
  getWeekStart,
  isOnCurrentLocalDay,
  listWeeks,
} from '../../src/lib/rules/calendar-days.ts'

describe('calendar days', () => {
  it('addDays, addMonths and countDays return the right result across the ends of months and years and on leap days', () => {
    expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(addMonths('2026-11', 2)).toBe('2027-01')
    expect(addMonths('2026-01', -13)).toBe('2024-12')
    expect(countDays('2024-02-01', '2024-03-01')).toBe(29)
  })

  it('the start of the week is found for weeks that begin on Monday, Saturday and Sunday', () => {
    // 25 November 2026 is a Wednesday.
    expect(getWeekStart('2026-11-25', 1)).toBe('2026-11-23')
    expect(getWeekStart('2026-11-25', 6)).toBe('2026-11-21')
    expect(getWeekStart('2026-11-25', 7)).toBe('2026-11-22')
    for (const day of ['2026-11-23', '2026-11-29']) expect(getWeekStart(day, 1)).toBe('2026-11-23')
  })

  it('the weeks of a month are complete, include days of the adjacent months, and contain each day once', () => {
    const weeks = listWeeks('2026-02', 7)
    expect(weeks).toHaveLength(4)
    expect(weeks.flat()).toEqual(Array.from({ length: 28 }, (_, index) => addDays('2026-02-01', index)))
    const augustWeeks = listWeeks('2026-08', 1)
    expect([augustWeeks[0]?.[0], augustWeeks.at(-1)?.[6]]).toEqual(['2026-07-27', '2026-09-06'])
  })

  it('the first day of the week is that of the first browser language that matches the page language, or else that of the page language', () => {
    expect(getFirstWeekday('en', ['fr-FR', 'en-GB'])).toBe(1)
    expect(getFirstWeekday('en', ['en-US'])).toBe(7)
    expect(getFirstWeekday('ar', ['en-GB'])).toBe(6)
    expect(getFirstWeekday('ar', ['ar-MA'])).toBe(1)
  })
})

it('isOnCurrentLocalDay is false for yesterday evening, although it is less than 24 hours ago', () => {
  const now = new Date(2026, 10, 27, 9, 0)
  expect(isOnCurrentLocalDay(new Date(2026, 10, 26, 20, 0).toISOString(), now)).toBe(false)
  expect(isOnCurrentLocalDay(new Date(2026, 10, 27, 0, 30).toISOString(), now)).toBe(true)
})
