/** The switch of the single-key shortcuts, and the list of keys that the player shows. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'

await signInHousehold()
const { areSingleKeyShortcutsOn, storeSingleKeyShortcuts } = await import(
  '../../src/lib/single-key-shortcuts.ts'
)
const { default: KeyboardShortcutsDialog } = await import(
  '../../src/islands/watch/KeyboardShortcutsDialog.tsx'
)

const listKeys = () => {
  const html = renderToStaticMarkup(createElement(KeyboardShortcutsDialog, { onClose: () => {} }))
  return {
    keys: [...html.matchAll(/<kbd[^>]*>([^<]*)<\/kbd>/g)].map(([, label]) => label),
    offLabelCount: html.split('watch:keyOff').length - 1,
    isOn: /aria-checked="(\w+)"/.exec(html)?.[1],
  }
}

it('single-key shortcuts are on until the user turns them off on the device', () => {
  expect(areSingleKeyShortcutsOn()).toBe(true)
  storeSingleKeyShortcuts(false)
  expect(areSingleKeyShortcutsOn()).toBe(false)
  storeSingleKeyShortcuts(true)
  expect(areSingleKeyShortcutsOn()).toBe(true)
})

it('the list of keys marks each shortcut that is turned off, and shows keys only for the other shortcuts', () => {
  expect(listKeys()).toMatchObject({ offLabelCount: 0, isOn: 'true' })
  expect(listKeys().keys).toEqual(expect.arrayContaining(['K', 'M', 'C', 'N', '?', '←', 'Esc']))
  storeSingleKeyShortcuts(false)
  const { keys, offLabelCount, isOn } = listKeys()
  expect(isOn).toBe('false')
  expect(offLabelCount).toBe(13)
  expect(keys).toEqual([
    'Space',
    'Enter',
    '←',
    '→',
    'Shift',
    '←',
    '→',
    '↑',
    '↓',
    'Esc',
    'PgUp',
    'PgDn',
    'Home',
    'End',
  ])
  storeSingleKeyShortcuts(true)
})
