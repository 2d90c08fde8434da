/** Watch next: the filters of the page, the time that an item may take, and the order of the items. */
import { describe, expect, it } from 'vitest'
import {
  arrangeWatchNext,
  formatWatchNextFilters,
  getLimitSeconds,
  listTimeChoices,
  parseWatchNextFilters,
} from '../../src/lib/rules/watch-next.ts'

const NO_FILTERS = parseWatchNextFilters('')

describe('filters of Watch next', () => {
  it.each(['', '?minutes=60', '?end-by=22%3A30', '?minutes=42&order=shortest'])(
    'parsing and formatting the filters in the URL %s returns the same URL',
    (query) => expect(formatWatchNextFilters(parseWatchNextFilters(query))).toBe(query),
  )

  it.each(['?minutes=0', '?minutes=1.5', '?minutes=9999', '?minutes=x', '?end-by=25:00', '?order=x'])(
    'invalid filters in the URL become defaults: %s',
    (query) => expect(parseWatchNextFilters(query)).toEqual(NO_FILTERS),
  )

  it('the minutes filter takes precedence when the URL contains minutes and a clock time', () => {
    expect(parseWatchNextFilters('?minutes=60&end-by=22:30')).toMatchObject({ minutes: 60, endBy: '' })
  })
})

describe('the time limit of an item', () => {
  const eveningTimes = { nowMinute: 21 * 60, remainingViewingSeconds: null }
  it.each([
    ['no filter', '', null],
    ['minutes', '?minutes=60', 3_600],
    ['a clock time', '?end-by=22:30', 90 * 60],
    ['a clock time after midnight', '?end-by=00:30', 210 * 60],
    ['a clock time that has passed', '?end-by=20:30', 0],
  ])(
    'with %s as filter (%s), the time limit of an item in seconds is %s',
    (_filterDescription, query, expectedSeconds) => {
      expect(getLimitSeconds(parseWatchNextFilters(query), eveningTimes)).toBe(expectedSeconds)
    },
  )

  it('with a filter, the time limit of an item is at most the remaining viewing time, and without a filter, an item has no time limit', () => {
    const timesWithViewingLimit = { ...eveningTimes, remainingViewingSeconds: 1_500 }
    expect(getLimitSeconds(parseWatchNextFilters('?minutes=60'), timesWithViewingLimit)).toBe(1_500)
    expect(getLimitSeconds(parseWatchNextFilters('?end-by=22:30'), timesWithViewingLimit)).toBe(1_500)
    expect(getLimitSeconds(NO_FILTERS, timesWithViewingLimit)).toBeNull()
  })
})

it.each([
  [null, [30, 60, 90, 120]],
  [20_000, [30, 60, 90, 120]],
  [7_200, [30, 60, 90, 120]],
  [3_000, [30, 50]],
  [59, []],
])(
  'if the remaining viewing time in seconds is %s, the offered time limits in minutes are %j',
  (remainingViewingSeconds, expectedMinutes) => {
    expect(listTimeChoices(remainingViewingSeconds)).toEqual(expectedMinutes)
  },
)

describe('items of Watch next', () => {
  const createItem = (name: string, kind: string, remaining_seconds: number | null, available?: boolean) => ({
    name,
    kind,
    remaining_seconds,
    available,
  })
  const ITEMS = [
    createItem('a', 'continue', 1_000, false),
    createItem('b', 'continue', 3_000),
    createItem('c', 'planned', null),
    createItem('d', 'planned', 500, true),
  ]
  const arrangeItems = (limitSeconds: number | null, order: 'suggested' | 'shortest' | 'longest') => {
    const { sections, ...counts } = arrangeWatchNext(ITEMS, { limitSeconds, order })
    const sectionTexts = sections.map(
      ({ kind, items }) => `${kind}: ${items.map(({ name }) => name).join(' ')}`,
    )
    return { ...counts, names: sectionTexts }
  }

  it('items of Watch next are grouped by kind, and unavailable items come last in their group', () => {
    expect(arrangeItems(null, 'suggested')).toEqual({
      names: ['continue: b a', 'planned: c d'],
      unknownLengthCount: 0,
      shortestSeconds: 500,
    })
  })

  it('items are ordered by remaining time, and items of unknown length come last', () => {
    expect(arrangeItems(null, 'shortest').names).toEqual(['null: d b c a'])
    expect(arrangeItems(null, 'longest').names).toEqual(['null: b d c a'])
  })

  it('items that take longer than the limit and items of unknown length are omitted', () => {
    expect(arrangeItems(1_000, 'suggested')).toEqual({
      names: ['continue: a', 'planned: d'],
      unknownLengthCount: 1,
      shortestSeconds: 500,
    })
    expect(arrangeItems(0, 'suggested').names).toEqual([])
  })
})
