/** The state of the dashboard is stored in its URL. */
import { expect, test } from 'vitest'
import { DASHBOARD_SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import {
  formatDashboardView,
  listActiveFilters,
  parseDashboardView,
  parseFilterChoice,
  parsePageNumber,
  parsePaging,
} from '../../src/lib/stores/admin/dashboard-view.ts'

test.each([
  ['', { section: 'overview', filters: {} }],
  ['?section=users&page=2&search=l%C3%A9a', { section: 'users', filters: { page: '2', search: 'léa' } }],
  ['?section=nowhere&search=x', { section: 'overview', filters: { search: 'x' } }],
  ['?section=catalogue&search=', { section: 'catalogue', filters: {} }],
] as const)('the section and the filters of the query "%s" are parsed', (query, view) => {
  expect(parseDashboardView(query)).toEqual(view)
})

test.each([
  ['catalogue', { type: 'tv', sort: 'rating.desc', page: '2' }, []],
  ['catalogue', { type: 'tv', search: 'x', kids: 'true' }, ['search', 'kids']],
  ['library', { source: 'servers', state: 'matched' }, ['state']],
  ['blocklist', { type: 'tv' }, ['type']],
  ['audit', { user: '1', page: '2' }, ['user']],
] as const)(
  'in the section %s, the parameters %j contain the active filters %j',
  (section, filters, expectedNames) => {
    expect(listActiveFilters({ section, filters })).toEqual(expectedNames)
  },
)

test('the query omits the default section, the first page and empty filters', () => {
  expect(formatDashboardView({ section: 'overview', filters: {} })).toBe('')
  expect(formatDashboardView({ section: 'users', filters: { page: '1', search: '' } })).toBe('?section=users')
})

test.each(DASHBOARD_SECTIONS)(
  'the formatted query of the section %s is parsed back to the same view',
  (section) => {
    const view = { section, filters: { page: '3', search: 'à & b' } }
    expect(parseDashboardView(formatDashboardView(view))).toEqual(view)
  },
)

test.each([
  ['2', 2],
  ['0', 1],
  ['-1', 1],
  ['1.5', 1],
  ['x', 1],
  ['9999999999', 1],
])('the page parameter "%s" is parsed as page %i', (pageParameter, pageNumber) => {
  expect(parsePageNumber({ page: pageParameter })).toBe(pageNumber)
})

test('parsing an allowed filter value returns the value, and parsing any other value returns undefined', () => {
  expect(parseFilterChoice({ role: 'admin' }, 'role', ['admin', 'user'])).toBe('admin')
  expect(parseFilterChoice({ role: 'root' }, 'role', ['admin', 'user'])).toBeUndefined()
  expect(parseFilterChoice({}, 'role', ['admin', 'user'])).toBeUndefined()
})

test('the page and the page size of a table are parsed, with the defaults 1 and 20', () => {
  expect(parsePaging({ page: '3', limit: '50' })).toEqual({ page: 3, limit: 50 })
  expect(parsePaging({})).toEqual({ page: 1, limit: 20 })
})
