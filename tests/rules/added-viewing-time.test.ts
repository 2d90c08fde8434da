import { expect, it } from 'vitest'
import { isViewingTimeAdded } from '../../src/lib/rules/added-viewing-time.ts'

const usedUpTime = {
  status: 'over',
  reason: 'minutes',
  remaining_seconds: 0,
  played_seconds: 3_600,
  allowed_seconds: 3_600,
} as const
const allowedTime = { ...usedUpTime, status: 'allowed', remaining_seconds: 900 } as const
const quietTime = { ...usedUpTime, reason: 'quiet_hours', allowed_seconds: null } as const
const HOUR_SECONDS = 3_600

it.each([
  ['a parent adds minutes', true, usedUpTime, { ...allowedTime, allowed_seconds: 4_500 }],
  ['a parent removes the limit', true, usedUpTime, { ...allowedTime, allowed_seconds: null }],
  ['the child may finish the video', true, usedUpTime, { ...usedUpTime, status: 'grace' }],
  ['a new day begins', false, usedUpTime, { ...allowedTime, played_seconds: 0 }],
  [
    'a day with more minutes begins',
    false,
    usedUpTime,
    { ...allowedTime, played_seconds: 0, allowed_seconds: 7_200 },
  ],
  [
    'a parent postpones the quiet hours',
    true,
    quietTime,
    { ...quietTime, status: 'allowed', remaining_seconds: HOUR_SECONDS },
  ],
  [
    'a parent adds minutes in quiet hours',
    true,
    { ...quietTime, allowed_seconds: 7_200 },
    { ...allowedTime, allowed_seconds: 8_100 },
  ],
  [
    'the quiet hours end',
    false,
    quietTime,
    { ...quietTime, status: 'allowed', remaining_seconds: 13 * HOUR_SECONDS },
  ],
  [
    'the quiet hours end and minutes are left',
    false,
    { ...quietTime, allowed_seconds: 7_200 },
    { ...allowedTime, allowed_seconds: 7_200 },
  ],
  ['nothing changes', false, usedUpTime, usedUpTime],
] as const)('when %s, isViewingTimeAdded returns %s', (_event, isAdded, endedTime, newTime) => {
  expect(isViewingTimeAdded(endedTime, newTime)).toBe(isAdded)
})
