import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { getCurrentMinuteOfDay, parseClockTime, toClockText } from '../../lib/rules/end-by.ts'

const HALF_HOUR_MINUTES = 30
const LISTED_HALF_HOUR_COUNT = 16

/** Returns the next clock times on the hour and half hour as options. Adds the chosen time if it is not one of them. */
export function listEndTimes(chosenTime: string): { value: string; label: string }[] {
  const firstMinuteOfDay = Math.floor(getCurrentMinuteOfDay() / HALF_HOUR_MINUTES + 1) * HALF_HOUR_MINUTES
  const endTimes = Array.from({ length: LISTED_HALF_HOUR_COUNT }, (_, index) =>
    toClockText((firstMinuteOfDay + index * HALF_HOUR_MINUTES) % 1_440),
  )
  const allEndTimes = chosenTime && !endTimes.includes(chosenTime) ? [chosenTime, ...endTimes] : endTimes
  return allEndTimes.map((value) => ({ value, label: formatClockTime(parseClockTime(value) ?? 0) }))
}
