/** The dashboard's address is its whole state. */
import { expect, test } from 'vitest'
import { SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import { choiceOf, pageOf, readView, writeView } from '../../src/lib/stores/admin/view.ts'

test.each([
  ['', { section: 'overview', filters: {} }],
  ['?section=users&page=2&search=l%C3%A9a', { section: 'users', filters: { page: '2', search: 'léa' } }],
  ['?section=nowhere&search=x', { section: 'overview', filters: { search: 'x' } }],
  ['?section=catalogue&search=', { section: 'catalogue', filters: {} }],
] as const)('%s is read', (query, view) => {
  expect(readView(query)).toEqual(view)
})

test('what says nothing is not written', () => {
  expect(writeView({ section: 'overview', filters: {} })).toBe('')
  expect(writeView({ section: 'users', filters: { page: '1', search: '' } })).toBe('?section=users')
})

test.each(SECTIONS)('%s is found again by its own address', (section) => {
  const view = { section, filters: { page: '3', search: 'à & b' } }
  expect(readView(writeView(view))).toEqual(view)
})

test.each([
  ['2', 2],
  ['0', 1],
  ['-1', 1],
  ['1.5', 1],
  ['x', 1],
  ['9999999999', 1],
])('page %s is page %i', (page, number) => {
  expect(pageOf({ page })).toBe(number)
})

test('a filter has one of its values or none', () => {
  expect(choiceOf({ role: 'admin' }, 'role', ['admin', 'user'])).toBe('admin')
  expect(choiceOf({ role: 'root' }, 'role', ['admin', 'user'])).toBeUndefined()
  expect(choiceOf({}, 'role', ['admin', 'user'])).toBeUndefined()
})
