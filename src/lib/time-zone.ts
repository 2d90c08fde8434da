import { readStorage, writeStorage } from './storage.ts'
import { TIME_ZONE_KEY } from './storage-keys.ts'

/**
 * Returns the IANA time zone of the device. Requests contain the time zone, because the server needs it for the
 * viewer's date. The first use of `Intl.DateTimeFormat` takes up to 200 ms on a slow device, and the first request of a
 * page would wait for it. The zone is therefore stored, and determined again only when the device's offset from UTC
 * differs from the stored offset.
 */
export function getTimeZone(): string {
  const offsetMinutes = String(new Date().getTimezoneOffset())
  const [storedOffset, storedZone] = (readStorage('localStorage', TIME_ZONE_KEY) ?? '').split(' ')
  if (storedZone && storedOffset === offsetMinutes) return storedZone
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  writeStorage('localStorage', TIME_ZONE_KEY, `${offsetMinutes} ${timeZone}`)
  return timeZone
}
