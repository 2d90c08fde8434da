/** Texts in the browser: the translations of the page, plural forms, numbers, times and dates. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listWeekdayOptions } from '../../src/islands/account/notices/DeliveryTimes.tsx'
import { formatMonth, formatWeekday, formatWeekdayAndDate } from '../../src/islands/calendar/format-day.ts'
import { formatBytes, formatTimeSince } from '../../src/islands/dashboard/kit/formatters.ts'
import { formatDeviceName } from '../../src/islands/format-device-name.ts'
import { listMonths } from '../../src/islands/history/days.ts'
import { listPeriodRows, listWeekdayRows } from '../../src/islands/statistics/plot-rows.ts'
import {
  formatAgeRating,
  formatCount,
  formatDate,
  formatDigitalDuration,
  formatQuality,
  formatRating,
  formatRuntime,
  formatTimeLeft,
  getLanguageName,
} from '../../src/lib/i18n/format.ts'
import { formatBirthplace } from '../../src/lib/i18n/format-birthplace.ts'
import { formatClockTime } from '../../src/lib/i18n/format-clock-time.ts'
import { formatRelativeTime, formatStandaloneTime } from '../../src/lib/i18n/format-instant.ts'
import { formatNames } from '../../src/lib/i18n/format-names.ts'
import type { TranslationNamespace } from '../../src/lib/i18n/keys.ts'
import { LOCALES, type Locale } from '../../src/lib/i18n/locales.ts'
import { getNameLanguage } from '../../src/lib/i18n/name-language.ts'
import {
  formatNumber,
  getCurrentDirection,
  getCurrentLocale,
  t,
  translateDynamicKey,
} from '../../src/lib/i18n/t.ts'
import { UNKNOWN_DEVICE_NAME } from '../../src/lib/rules/limits.ts'
import type { Statistics } from '../../src/lib/stores/statistics.ts'
import { openTranslatedPage } from '../support/translated-page.ts'

const openPage = (locale: Locale, namespaces: TranslationNamespace[] = ['common', 'genres', 'reasons']) =>
  openTranslatedPage(locale, namespaces)
afterEach(() => {
  vi.unstubAllEnvs()
  Reflect.deleteProperty(globalThis, 'document')
})

describe('translated texts', () => {
  test('translated texts, locale and text direction are those of the current page', () => {
    openPage('en')
    expect([t('common:play'), getCurrentLocale(), getCurrentDirection()]).toEqual(['Play', 'en', 'ltr'])
    openPage('ar')
    expect([t('common:play'), getCurrentLocale(), getCurrentDirection()]).toEqual(['تشغيل', 'ar', 'rtl'])
  })

  test('translated texts insert placeholder values literally, and keep a placeholder without a value', () => {
    openPage('en')
    expect(t('reasons:liked', { title: '$& {{title}} <b>' })).toBe('Because you liked $& {{title}} <b>')
    expect(t('reasons:liked')).toBe('Because you liked {{title}}')
    expect(t('common:runtimeHours', { hours: 1_234, minutes: 5 })).toBe('1,234 h 5 min')
  })

  test.each(LOCALES)('%s: the number of a season or an episode has no thousands separator', (locale) => {
    openPage(locale)
    const code = t('common:episodeCode', { season: 2_024, episode: 1_122 })
    expect(code.match(/\d+/g)).toEqual(['2024', '1122'])
    expect(t('common:season_number', { number: 2_024 })).toContain('2024')
    const range = t('common:episodeRange', { season: 1, first: 1_121, last: 1_122 })
    expect(range.match(/\d+/g)).toEqual(['1', '1121', '1122'])
    expect(t('common:titles', { count: 12_480 })).toContain(formatNumber(12_480))
  })

  test('a missing translation is replaced by its key, or for a dynamic key by the given default', () => {
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
  ])('translated texts use the plural forms of %s', (locale, counts) => {
    openPage(locale)
    for (const [count, expectedText] of counts)
      expect(t('common:seasons', { count }).replace(/[\u202f\u00a0]/g, ' ')).toBe(expectedText)
  })
})

describe('number, date and time formats', () => {
  test('a clock time has Western digits, and no space at which a line may break', () => {
    openPage('en')
    expect(formatClockTime(1_290)).toBe('21:30')
    openPage('ar')
    expect(formatClockTime(1_290)).toBe('09:30\u00a0م')
  })

  test('the names of weekdays and months begin with a capital letter in French headings, options and charts', () => {
    openPage('fr')
    expect([formatWeekdayAndDate('2026-11-24'), formatMonth('2026-11')]).toEqual([
      'Mardi 24/11/2026',
      'Novembre 2026',
    ])
    expect(formatWeekday('2026-11-24', 'short')).toBe('Mar.')
    expect(listMonths('2025-12-31T12:00:00Z', 'all').at(-1)).toEqual({
      value: '2025-12',
      label: 'Décembre 2025',
    })
    const totals = { viewings: 1, minutes: 60 }
    const statistics = {
      weekdays: Array.from({ length: 7 }, () => totals),
      months: [],
    } as unknown as Statistics
    const getLabels = (rows: { label: string }[]) => rows.map(({ label }) => label)
    const weekdays = ['Lundi', 'Mardi', 'Mercredi', 'Jeudi', 'Vendredi', 'Samedi', 'Dimanche']
    expect(getLabels(listWeekdayRows(statistics))).toEqual(weekdays)
    expect(getLabels(listWeekdayOptions())).toEqual(weekdays)
    expect(getLabels(listPeriodRows(statistics, 2026)).slice(0, 2)).toEqual(['Janvier', 'Février'])
  })

  test.each(LOCALES)('the number format of %s uses Western digits', (locale) => {
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
  ])('the count %d is formatted as %s', (count, expectedText) => {
    openPage('en')
    expect(formatCount(count)).toBe(expectedText)
  })

  test('counts are abbreviated and ratings are formatted by the rules of each language', () => {
    const formatNumbers = (locale: Locale) => {
      openPage(locale)
      return [
        formatCount(800_000),
        formatCount(2_900_000),
        formatCount(1_500_000_000),
        formatRating(8),
        formatRating(8.25),
      ]
    }
    expect(formatNumbers('en')).toEqual(['800K', '2.9M', '1.5B', '8.0', '8.3'])
    expect(formatNumbers('fr')).toEqual(['800\u00a0k', '2,9\u00a0M', '1,5\u00a0Md', '8,0', '8,3'])
    expect(formatNumbers('ar')).toEqual(['800K', '2.9M', '1.5B', '8.0', '8.3'])
  })

  test('ratings are formatted in the same way with and without `Intl.NumberFormat`', () => {
    for (const locale of LOCALES) {
      openPage(locale)
      const numberFormat = new Intl.NumberFormat(`${locale}-u-nu-latn`, {
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      })
      const ratings = Array.from({ length: 1_001 }, (_, index) => index / 100)
      expect(ratings.map(formatRating)).toEqual(ratings.map((rating) => numberFormat.format(rating)))
    }
  })

  test('the unit of every file size is abbreviated, also in Arabic', () => {
    const sizesBytes = [5e3, 5e6, 5e9, 5e12]
    openPage('en')
    expect(sizesBytes.map(formatBytes)).toEqual(['5 kB', '5 MB', '5 GB', '5 TB'])
    openPage('ar')
    expect(sizesBytes.map(formatBytes)).toEqual(['5 ك.ب', '5 م.ب', '5 غ.ب', '5 ت.ب'])
  })

  test('the age rating "All" is translated, and names are joined with the comma of the language', () => {
    const formatRatingAndNames = (locale: Locale) => {
      openPage(locale)
      return [formatAgeRating('All'), formatAgeRating('13+'), formatNames(['A', 'B'])]
    }
    expect(formatRatingAndNames('en')).toEqual(['All ages', '13+', 'A, B'])
    expect(formatRatingAndNames('fr')).toEqual(['Tous publics', '13+', 'A, B'])
    expect(formatRatingAndNames('ar')).toEqual(['لجميع الأعمار', '13+', 'A، B'])
  })

  test('2160p is labelled as 4K, and other qualities are labelled with their height', () => {
    openPage('ar')
    expect(['2160p', '1080p'].map(formatQuality)).toEqual(['4K', '1080p'])
  })

  test('a date on an Arabic page is formatted as DD/MM/YYYY in Western digits', () => {
    openPage('ar')
    expect(formatDate('2026-11-20')).toBe('20/11/2026')
    expect(formatDate('2026-11-20T23:59:59Z')).toBe('20/11/2026')
  })

  test.each([
    ['America/Los_Angeles', '19/11/2026'],
    ['Pacific/Auckland', '20/11/2026'],
  ])('an instant is shown with its date in the time zone %s of the viewer', async (timeZone, localDate) => {
    vi.stubEnv('TZ', timeZone)
    // Imports a new instance of the module, because each instance keeps the time zone of its first use.
    const modulePath = `../../src/lib/i18n/format-instant.ts?${timeZone}`
    const formatInstant: typeof import('../../src/lib/i18n/format-instant.ts') = await import(modulePath)
    const instant = '2026-11-20T02:00:00.000Z'
    expect(formatInstant.formatLocalDate(instant)).toBe(localDate)
    expect(formatInstant.formatRelativeTime(instant, Date.parse('2027-11-20'))).toBe(localDate)
  })

  test('a time less than an hour ago or in the future is shown as "Just now", an earlier time in hours, after 24 hours in days, and after 30 days as a date', () => {
    openPage('en')
    const nowMs = Date.parse('2026-11-20T12:00:00Z')
    const formatMsAgo = (ageMs: number) => formatRelativeTime(new Date(nowMs - ageMs).toISOString(), nowMs)
    const hourMs = 3_600_000
    expect(formatMsAgo(hourMs - 1)).toBe('Just now')
    expect(formatMsAgo(hourMs)).toBe('1 hour ago')
    expect(formatMsAgo(24 * hourMs - 1)).toBe('23 hours ago')
    expect(formatMsAgo(24 * hourMs)).toBe('1 day ago')
    expect(formatMsAgo(30 * 24 * hourMs - 1)).toBe('29 days ago')
    expect(formatMsAgo(30 * 24 * hourMs)).toBe('21/10/2026')
    expect(formatMsAgo(-hourMs)).toBe('Just now')
  })

  test('a relative time in French starts with a capital letter where it stands alone, and not after other text', () => {
    openPage('fr')
    const nowMs = Date.parse('2026-11-20T12:00:00Z')
    const instant = '2026-11-20T09:00:00Z'
    expect(formatRelativeTime(instant, nowMs)).toBe('il y a 3 heures')
    expect(formatStandaloneTime(formatRelativeTime(new Date(nowMs).toISOString(), nowMs))).toBe('À l’instant')
    expect(formatTimeSince(instant, nowMs).startsWith('il y a 3')).toBe(true)
    expect(formatStandaloneTime(formatTimeSince(instant, nowMs)).startsWith('Il y a 3')).toBe(true)
  })

  test('runtimes are formatted in hours and minutes, and playback times as a clock', () => {
    openPage('en')
    expect([20, 3_540, 7_200, 7_500, 8_520].map(formatRuntime)).toEqual([
      '1 min',
      '59 min',
      '2 h',
      '2 h 05 min',
      '2 h 22 min',
    ])
    expect([
      formatDigitalDuration(0),
      formatDigitalDuration(75.9),
      formatDigitalDuration(3_723),
      formatDigitalDuration(Number.NaN),
    ]).toEqual(['0:00', '1:15', '1:02:03', '0:00'])
  })

  test('the remaining time is formatted like a runtime, in English, French and Arabic', () => {
    const formatTimesLeft = (locale: Locale) => {
      openPage(locale)
      return [formatTimeLeft(5), formatTimeLeft(96)].map((text) => text.replaceAll('\u00a0', ' '))
    }
    expect(formatTimesLeft('en')).toEqual(['5 min left', '1 h 36 min left'])
    expect(formatTimesLeft('fr')).toEqual(['Encore 5 min', 'Encore 1 h 36'])
    expect(formatTimesLeft('ar')).toEqual(['بقي 5 د', 'بقي 1 س 36 د'])
  })

  test('language names are shown in the language of the page', () => {
    expect([getLanguageName('ja', 'en'), getLanguageName('ja', 'fr'), getLanguageName('ja', 'ar')]).toEqual([
      'Japanese',
      'Japonais',
      'اليابانية',
    ])
    expect(getLanguageName('xx', 'fr')).toBe('xx')
  })

  test('getNameLanguage returns "ar" for an Arabic name on every page, and "en" for a Latin name only on Arabic pages', () => {
    const listLanguages = (locale: Locale) => {
      openPage(locale)
      return ['Dune', 'باب الحديد', '기생충', '1917'].map(getNameLanguage)
    }
    expect(listLanguages('fr')).toEqual([undefined, 'ar', undefined, undefined])
    expect(listLanguages('ar')).toEqual(['en', 'ar', undefined, undefined])
  })

  test('the country of a birthplace is translated', () => {
    const formatBirthplaces = (locale: Locale) => {
      openPage(locale, ['detail'])
      return ['Vicenza, Italy', 'Boston, Massachusetts, USA', 'Belfast, Northern Ireland', 'Cairo'].map(
        formatBirthplace,
      )
    }
    expect(formatBirthplaces('en')[1]).toBe('Boston, Massachusetts, USA')
    expect(formatBirthplaces('fr')).toEqual([
      'Vicenza, Italie',
      'Boston, Massachusetts, États-Unis',
      'Belfast, Irlande du Nord',
      'Cairo',
    ])
    expect(formatBirthplaces('ar').slice(0, 3)).toEqual([
      'Vicenza، إيطاليا',
      'Boston، Massachusetts، الولايات المتحدة',
      'Belfast، أيرلندا الشمالية',
    ])
  })

  test('the name of an unknown device is translated, and any other device name is kept', () => {
    openPage('fr')
    expect([formatDeviceName(UNKNOWN_DEVICE_NAME), formatDeviceName('Chrome · Windows')]).toEqual([
      'Appareil inconnu',
      'Chrome · Windows',
    ])
  })
})
