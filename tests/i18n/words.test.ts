/** Words in the browser: the page's own tables, plural forms, numbers, times and dates (Spec §9). */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { formatDeviceName } from '../../src/islands/format-device-name.ts'
import {
  formatClock,
  formatCount,
  formatDate,
  formatRelativeTime,
  formatRuntime,
  getLanguageName,
} from '../../src/lib/i18n/format.ts'
import { LOCALES, type Locale } from '../../src/lib/i18n/locales.ts'
import {
  formatNumber,
  getCurrentDirection,
  getCurrentLocale,
  t,
  translateDynamicKey,
} from '../../src/lib/i18n/t.ts'
import { UNKNOWN_DEVICE_NAME } from '../../src/lib/rules/limits.ts'

/** A page as Shell.astro writes it, with our real translations. */
function openPage(locale: Locale, namespaces = ['common', 'genres', 'reasons']): void {
  const tables = namespaces.map((name) => [
    name,
    JSON.parse(readFileSync(`src/i18n/${locale}/${name}.json`, 'utf8')),
  ])
  const words = { textContent: JSON.stringify(Object.fromEntries(tables)) }
  Object.assign(globalThis, { document: { documentElement: { lang: locale }, getElementById: () => words } })
}
afterEach(() => Reflect.deleteProperty(globalThis, 'document'))

describe('texts', () => {
  test('come from the page in hand, in its language', () => {
    openPage('en')
    expect([t('common:play'), getCurrentLocale(), getCurrentDirection()]).toEqual(['Play', 'en', 'ltr'])
    openPage('ar')
    expect([t('common:play'), getCurrentLocale(), getCurrentDirection()]).toEqual(['تشغيل', 'ar', 'rtl'])
  })

  test('are filled in; a value may hold anything and is taken as it is', () => {
    openPage('en')
    expect(t('reasons:liked', { title: '$& {{title}} <b>' })).toBe('Because you liked $& {{title}} <b>')
    expect(t('reasons:liked')).toBe('Because you liked {{title}}')
    expect(t('common:runtimeHours', { hours: 1_234, minutes: 5 })).toBe('1,234 h 5 min')
  })

  test('a missing text is its key, a missing word of data what the caller says', () => {
    openPage('en', ['common'])
    expect(t('watch:title')).toBe('watch:title')
    expect(translateDynamicKey('guide:Mild', 'Mild?')).toBe('Mild?')
  })

  test.each<[Locale, [number, string][]]>([
    [
      'en',
      [
        [0, '0 Seasons'],
        [1, '1 Season'],
        [2, '2 Seasons'],
      ],
    ],
    [
      'fr',
      [
        [0, '0 saison'],
        [1, '1 saison'],
        [2, '2 saisons'],
        [1_000_000, '1 000 000 de saisons'],
      ],
    ],
    [
      'ar',
      [
        [0, 'بلا مواسم'],
        [1, 'موسم واحد'],
        [2, 'موسمان'],
        [3, '3 مواسم'],
        [10, '10 مواسم'],
        [11, '11 موسمًا'],
        [99, '99 موسمًا'],
        [100, '100 موسم'],
        [102, '102 موسم'],
        [103, '103 مواسم'],
      ],
    ],
  ])('%s counts', (locale, counts) => {
    openPage(locale)
    for (const [count, text] of counts)
      expect(t('common:seasons', { count }).replace(/[\u202f\u00a0]/g, ' ')).toBe(text)
  })
})

describe('numbers and times', () => {
  test.each(LOCALES)('%s uses Western digits', (locale) => {
    openPage(locale)
    expect(formatNumber(1_234_567.5)).toMatch(/^[\d\s.,\u202f\u00a0٬٫]+$/u)
    expect(formatNumber(7)).toBe('7')
  })

  test.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1K'],
    [1_250, '1.2K'],
    [999_999, '999.9K'],
    [1_000_000, '1M'],
    [2_900_000, '2.9M'],
    [1_500_000_000, '1.5B'],
  ])('%d is %s', (value, text) => {
    openPage('en')
    expect(formatCount(value)).toBe(text)
  })

  test('dates are short and British in every language', () => {
    openPage('ar')
    expect(formatDate('2026-11-20')).toBe('20/11/2026')
    expect(formatDate('2026-11-20T23:59:59Z')).toBe('20/11/2026')
  })

  test('relative times: hours under a day, days under thirty, then a date', () => {
    openPage('en')
    const now = Date.parse('2026-11-20T12:00:00Z')
    const ago = (ms: number) => formatRelativeTime(new Date(now - ms).toISOString(), now)
    const hour = 3_600_000
    expect(ago(hour - 1)).toBe('Just now')
    expect(ago(hour)).toBe('1 hour ago')
    expect(ago(24 * hour - 1)).toBe('23 hours ago')
    expect(ago(24 * hour)).toBe('1 day ago')
    expect(ago(30 * 24 * hour - 1)).toBe('29 days ago')
    expect(ago(30 * 24 * hour)).toBe('21/10/2026')
    expect(ago(-hour)).toBe('Just now')
  })

  test('lengths and clocks', () => {
    openPage('en')
    expect([formatRuntime(20), formatRuntime(3_540), formatRuntime(8_520)]).toEqual([
      '1 min',
      '59 min',
      '2 h 22 min',
    ])
    expect([formatClock(0), formatClock(75.9), formatClock(3_723), formatClock(Number.NaN)]).toEqual([
      '0:00',
      '1:15',
      '1:02:03',
      '0:00',
    ])
  })

  test('languages are named in the language of the page', () => {
    expect([getLanguageName('ja', 'en'), getLanguageName('ja', 'fr'), getLanguageName('ja', 'ar')]).toEqual([
      'Japanese',
      'Japonais',
      'اليابانية',
    ])
    expect(getLanguageName('xx', 'fr')).toBe('xx')
  })

  test('a device that says nothing of itself is called so in the language of the page', () => {
    openPage('fr')
    expect([formatDeviceName(UNKNOWN_DEVICE_NAME), formatDeviceName('Chrome · Windows')]).toEqual([
      'Appareil inconnu',
      'Chrome · Windows',
    ])
  })
})
