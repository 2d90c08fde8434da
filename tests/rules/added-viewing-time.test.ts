import { expect, it } from 'vitest'
import { isViewingTimeAdded } from '../../src/lib/rules/added-viewing-time.ts'

const usedUpViewingTime = {
  status: 'over',
  reason: 'minutes',
  remaining_seconds: 0,
  played_seconds: 3_600,
  allowed_seconds: 3_600,
} as const
const allowedViewingTime = { ...usedUpViewingTime, status: 'allowed', remaining_seconds: 900 } as const
const quietHoursViewingTime = { ...usedUpViewingTime, reason: 'quiet_hours', allowed_seconds: null } as const
const HOUR_SECONDS = 3_600

it.each([
  ['a parent adds minutes', true, usedUpViewingTime, { ...allowedViewingTime, allowed_seconds: 4_500 }],
  ['a parent removes the limit', true, usedUpViewingTime, { ...allowedViewingTime, allowed_seconds: null }],
  ['the child may finish the video', true, usedUpViewingTime, { ...usedUpViewingTime, status: 'grace' }],
  ['a new day begins', false, usedUpViewingTime, { ...allowedViewingTime, played_seconds: 0 }],
  [
    'a day with more minutes begins',
    false,
    usedUpViewingTime,
    { ...allowedViewingTime, played_seconds: 0, allowed_seconds: 7_200 },
  ],
  [
    'a parent postpones the quiet hours',
    true,
    quietHoursViewingTime,
    { ...quietHoursViewingTime, status: 'allowed', remaining_seconds: HOUR_SECONDS },
  ],
  [
    'a parent adds minutes in quiet hours',
    true,
    { ...quietHoursViewingTime, allowed_seconds: 7_200 },
    { ...allowedViewingTime, allowed_seconds: 8_100 },
  ],
  [
    'the quiet hours end',
    false,
    quietHoursViewingTime,
    { ...quietHoursViewingTime, status: 'allowed', remaining_seconds: 13 * HOUR_SECONDS },
  ],
  [
    'the quiet hours end and minutes are left',
    false,
    { ...quietHoursViewingTime, allowed_seconds: 7_200 },
    { ...allowedViewingTime, allowed_seconds: 7_200 },
  ],
  ['nothing changes', false, usedUpViewingTime, usedUpViewingTime],
] as const)('when %s, isViewingTimeAdded returns %s', (_event, isAdded, endedViewingTime, newViewingTime) => {
  expect(isViewingTimeAdded(endedViewingTime, newViewingTime)).toBe(isAdded)
})
