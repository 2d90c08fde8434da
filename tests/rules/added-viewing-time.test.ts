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
  ['a parent adds minutes', usedUpTime, { ...allowedTime, allowed_seconds: 4_500 }, true],
  ['a parent removes the limit', usedUpTime, { ...allowedTime, allowed_seconds: null }, true],
  ['the child may finish the video', usedUpTime, { ...usedUpTime, status: 'grace' }, true],
  ['a new day begins', usedUpTime, { ...allowedTime, played_seconds: 0 }, false],
  [
    'a day with more minutes begins',
    usedUpTime,
    { ...allowedTime, played_seconds: 0, allowed_seconds: 7_200 },
    false,
  ],
  [
    'a parent postpones the quiet hours',
    quietTime,
    { ...quietTime, status: 'allowed', remaining_seconds: HOUR_SECONDS },
    true,
  ],
  [
    'a parent adds minutes in quiet hours',
    { ...quietTime, allowed_seconds: 7_200 },
    { ...allowedTime, allowed_seconds: 8_100 },
    true,
  ],
  [
    'the quiet hours end',
    quietTime,
    { ...quietTime, status: 'allowed', remaining_seconds: 13 * HOUR_SECONDS },
    false,
  ],
  [
    'the quiet hours end and minutes are left',
    { ...quietTime, allowed_seconds: 7_200 },
    { ...allowedTime, allowed_seconds: 7_200 },
    false,
  ],
  ['nothing changes', usedUpTime, usedUpTime, false],
] as const)(
  'when %s, viewing time that was over is added time or not',
  (_event, endedTime, newTime, isAdded) => {
    expect(isViewingTimeAdded(endedTime, newTime)).toBe(isAdded)
  },
)
