/** Keeps the viewer's date current while a page stays open. */
import { atom } from 'nanostores'
import { formatLocalDay } from '../rules/calendar-days.ts'

/**
 * The date of the viewer, `YYYY-MM-DD`. After `keepTodayUpdated` was called, the date changes one to two minutes after
 * midnight.
 */
export const $today = atom(formatLocalDay())

const CHECK_INTERVAL_MS = 60_000
/**
 * Time after midnight, by the clock of the device, from which the new date applies. The server may reach midnight
 * later, because its clock may be behind.
 */
const NEW_DATE_DELAY_MS = 60_000

/** Updates `$today` until the page is closed, also after the device was asleep. Calls `onChange` after each change. */
export function keepTodayUpdated(onChange: () => void): void {
  const updateToday = () => {
    const today = formatLocalDay(new Date(Date.now() - NEW_DATE_DELAY_MS))
    // If the page was opened in the first minute of the day, `$today` already has the new date.
    if ([today, formatLocalDay()].includes($today.get())) return
    $today.set(today)
    onChange()
  }
  setInterval(updateToday, CHECK_INTERVAL_MS)
  document.addEventListener('visibilitychange', updateToday)
}
