/** The tab stop of the tabs. Journeys test the arrow keys and the selection. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Tabs } from '../../src/ui/Tabs.tsx'

const tabs = ['popular', 'latest', 'rated'].map((value) => ({ value, label: value }))

/** Renders the tabs and returns the value of `tabindex` of each tab. */
function renderTabIndexes(value: string): (string | undefined)[] {
  const markup = renderToStaticMarkup(createElement(Tabs, { label: 'Sort', value, tabs, onChange: () => {} }))
  return [...markup.matchAll(/tabindex="(-?\d)"/gi)].map(([, tabIndex]) => tabIndex)
}

it('the selected tab is the only tab stop', () => {
  expect(renderTabIndexes('latest')).toEqual(['-1', '0', '-1'])
})

it('the first tab is the only tab stop when no tab is selected', () => {
  expect(renderTabIndexes('title')).toEqual(['0', '-1', '-1'])
})
