import type { Setting } from '../../../lib/contract/admin.ts'

/** Returns the reason why the text is not a valid value of the setting; null if it is valid. */
export function validateNumberSetting(
  setting: Pick<Setting, 'min' | 'max'>,
  text: string,
): 'whole' | 'range' | null {
  const value = Number(text)
  if (text.trim() === '' || !Number.isInteger(value)) return 'whole'
  if (setting.min !== null && value < setting.min) return 'range'
  if (setting.max !== null && value > setting.max) return 'range'
  return null
}
