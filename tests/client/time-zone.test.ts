import { beforeEach, expect, it, vi } from 'vitest'
import { TIME_ZONE_KEY } from '../../src/lib/storage-keys.ts'
import { getTimeZone } from '../../src/lib/time-zone.ts'
import { MemoryStorage } from './pending-write-examples.ts'

const DEVICE_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
const OFFSET_MINUTES = new Date().getTimezoneOffset()

beforeEach(() => vi.stubGlobal('localStorage', new MemoryStorage()))

it('getTimeZone determines the time zone of the device once and stores it', () => {
  expect(getTimeZone()).toBe(DEVICE_TIME_ZONE)
  const dateTimeFormatSpy = vi.spyOn(Intl, 'DateTimeFormat')
  expect(getTimeZone()).toBe(DEVICE_TIME_ZONE)
  expect(dateTimeFormatSpy).not.toHaveBeenCalled()
  dateTimeFormatSpy.mockRestore()
})

it('getTimeZone determines the time zone again when the offset of the device from UTC has changed', () => {
  localStorage.setItem(TIME_ZONE_KEY, `${OFFSET_MINUTES + 60} Pacific/Chatham`)
  expect(getTimeZone()).toBe(DEVICE_TIME_ZONE)
  expect(localStorage.getItem(TIME_ZONE_KEY)).toBe(`${OFFSET_MINUTES} ${DEVICE_TIME_ZONE}`)
})

it('getTimeZone returns the time zone of the device when the stored text is damaged or storage is denied', () => {
  localStorage.setItem(TIME_ZONE_KEY, String(OFFSET_MINUTES))
  expect(getTimeZone()).toBe(DEVICE_TIME_ZONE)
  vi.stubGlobal('localStorage', undefined)
  expect(getTimeZone()).toBe(DEVICE_TIME_ZONE)
})
