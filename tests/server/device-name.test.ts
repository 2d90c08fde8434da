import { expect, test } from 'vitest'
import { parseDeviceName } from '../../server/services/auth/device-name.ts'
import { UNKNOWN_DEVICE_NAME } from '../../src/lib/rules/limits.ts'

test('the name of a device is derived from the user agent and does not depend on a language', () => {
  const chromeUserAgent =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'
  expect(parseDeviceName(chromeUserAgent)).toBe('Chrome · Windows')
  expect(parseDeviceName(chromeUserAgent.replace('Windows NT 10.0', 'Linux; Tizen 9.0'))).toBe(
    'Chrome · Samsung TV',
  )
  expect(parseDeviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X)')).toBe('iPhone')
})

test('the name of a device contains no text that is copied from the user agent', () => {
  for (const userAgent of ['', 'curl/8.0', '<script>alert(1)</script>', 'x'.repeat(100_000)])
    expect(parseDeviceName(userAgent)).toBe(UNKNOWN_DEVICE_NAME)
  expect(parseDeviceName('Firefox/1 <b>Linux</b>')).toBe('Firefox · Linux')
})
