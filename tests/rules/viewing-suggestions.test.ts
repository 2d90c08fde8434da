/** The end of the quiet hours that is suggested when a parent selects the start of the quiet hours. */
import { expect, it } from 'vitest'
import { suggestQuietHours } from '../../src/lib/rules/viewing-suggestions.ts'

it.each([
  ['at 7:00 if no end was set before', 1_320, null, 420],
  ['at the end that was set before', 1_320, 480, 480],
  ['half an hour after the start if the start is 7:00 and no end was set before', 420, null, 450],
  ['half an hour after the start if the start equals the end that was set before', 480, 480, 510],
  ['at midnight if the start and the end that was set before are both 23:30', 1_410, 1_410, 0],
])('suggested quiet hours end %s', (_, startMinute, previousEndMinute, quiet_end) => {
  expect(suggestQuietHours(startMinute, previousEndMinute)).toEqual({ quiet_start: startMinute, quiet_end })
})
