/** Lite mode of this device. With `auto`, the boot script turns lite mode on if the device is slow. */
import { atom } from 'nanostores'
import { writeStorage } from '../storage.ts'
import { LITE_MODE_KEY } from '../storage-keys.ts'

/** `1` is on and `0` is off, like the stored values. For `auto`, no value is stored. */
export type LiteModeSetting = 'auto' | '1' | '0'
const isStoredChoice = (value: string | null | undefined): value is '1' | '0' =>
  value === '1' || value === '0'
const storedChoice = globalThis.localStorage?.getItem(LITE_MODE_KEY)

export const $liteMode = atom<LiteModeSetting>(isStoredChoice(storedChoice) ? storedChoice : 'auto')

/**
 * Changes lite mode immediately. With `auto`, lite mode is turned off until the next page opens, where the boot
 * script decides again.
 */
export function setLiteMode(setting: LiteModeSetting): void {
  $liteMode.set(setting)
  const { dataset } = document.documentElement
  if (setting === 'auto') localStorage.removeItem(LITE_MODE_KEY)
  else writeStorage('localStorage', LITE_MODE_KEY, setting)
  if (setting === '1') dataset['lite'] = ''
  else delete dataset['lite']
}
