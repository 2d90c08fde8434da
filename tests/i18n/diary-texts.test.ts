/**
 * Texts about viewings and statistics, in all languages: watched times, numbers of votes and viewings, and the reasons
 * of recommendations.
 */
import { afterEach, expect, test } from 'vitest'
import { formatWatchedTime } from '../../src/islands/statistics/plot-rows.ts'
import { listReviewSlides } from '../../src/islands/statistics/review-slides.ts'
import { formatVotes } from '../../src/lib/i18n/format-votes.ts'
import type { Locale } from '../../src/lib/i18n/locales.ts'
import { t } from '../../src/lib/i18n/t.ts'
import type { Statistics } from '../../src/lib/stores/statistics.ts'
import { openTranslatedPage } from '../support/translated-page.ts'

const openPage = (locale: Locale) =>
  openTranslatedPage(locale, ['common', 'detail', 'genres', 'reasons', 'seen', 'statistics'])
afterEach(() => Reflect.deleteProperty(globalThis, 'document'))

const replaceNoBreakSpaces = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test('a watched time is formatted in hours and minutes, and a watched time of zero as "0 min"', () => {
  openPage('en')
  expect([0, 1, 59, 60, 125].map(formatWatchedTime)).toEqual([
    '0 min',
    '1 min',
    '59 min',
    '1 h',
    '2 h 05 min',
  ])
})

test('the review of a year has no slide "busiest day" when the runtimes of all viewings are unknown', () => {
  openPage('en')
  const createStatistics = (minutes: number) =>
    ({
      totals: { minutes, movies: 1, episodes: 0, rewatches: 0 },
      titles: [],
      actors: [],
      languages: [],
      genres: [],
      longest_streak: null,
      days: [{ date: '2026-11-20', viewings: 1, minutes }],
    }) as unknown as Statistics
  const listNames = (minutes: number) => listReviewSlides(createStatistics(minutes)).map(({ name }) => name)
  expect(listNames(90)).toContain(t('statistics:busiestDay'))
  expect(listNames(0)).not.toContain(t('statistics:busiestDay'))
})

test('the plural form of "votes" matches the abbreviated number, not the exact number', () => {
  const formatVoteCounts = (locale: Locale) => {
    openPage(locale)
    return [1, 2, 1_500, 1_234_567].map((count) => replaceNoBreakSpaces(formatVotes(count)))
  }
  expect(formatVoteCounts('en')).toEqual(['1 vote', '2 votes', '1.5K votes', '1.2M votes'])
  expect(formatVoteCounts('fr')).toEqual(['1 vote', '2 votes', '1,5 k votes', '1,2 M de votes'])
  expect(formatVoteCounts('ar')[3]).toBe('الأصوات: 1.2M')
  openPage('fr')
  expect(replaceNoBreakSpaces(formatVotes(1_000_000, '+'))).toBe('1 M+ de votes')
})

test('the text that states how many times a title was seen uses the plural forms of each language', () => {
  const formatViewingCounts = (locale: Locale) => {
    openPage(locale)
    return [2, 3, 11].map((count) => t('seen:times', { count }))
  }
  expect(formatViewingCounts('en')).toEqual(['Seen 2 times', 'Seen 3 times', 'Seen 11 times'])
  expect(formatViewingCounts('fr')).toEqual(['Vu 2 fois', 'Vu 3 fois', 'Vu 11 fois'])
  expect(formatViewingCounts('ar')).toEqual(['شوهد مرتين', 'شوهد 3 مرات', 'شوهد 11 مرة'])
})

test('a recommendation reason that names a genre contains the word for "genre", because the names of some genres are adjectives', () => {
  openPage('ar')
  expect(t('reasons:genre', { genre: t('genres:10751') })).toBe('لأنك تفضّل نوع «عائلي»')
  openPage('fr')
  expect(replaceNoBreakSpaces(t('reasons:genre', { genre: t('genres:35') }))).toBe(
    'Parce que vous aimez le genre « Comédie »',
  )
})
