/**
 * Shortcuts that are a single character: "/" for the search, and the letters, digits and punctuation of the player.
 * Speech input, and hands that press a key by accident, can trigger them. The user can therefore turn them off on a
 * device (success criterion 2.1.4 of WCAG).
 */
import { readStorage, writeStorage } from './storage.ts'
import { SINGLE_KEY_SHORTCUTS_KEY } from './storage-keys.ts'

export const areSingleKeyShortcutsOn = (): boolean =>
  readStorage('localStorage', SINGLE_KEY_SHORTCUTS_KEY) !== '0'

export const storeSingleKeyShortcuts = (areShortcutsOn: boolean): void =>
  writeStorage('localStorage', SINGLE_KEY_SHORTCUTS_KEY, areShortcutsOn ? '1' : '0')
