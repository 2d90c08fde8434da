import type { Setting } from '../../../lib/contract/admin.ts'

/** Returns the reason why the text is not a valid value of the setting; null if it is valid. */
export function validateNumberSetting(
  setting: Pick<Setting, 'min' | 'max'>,
  numberText: string,
): 'whole' | 'range' | null {
  const parsedNumber = Number(numberText)
  if (numberText.trim() === '' || !Number.isInteger(parsedNumber)) return 'whole'
  if (setting.min !== null && parsedNumber < setting.min) return 'range'
  if (setting.max !== null && parsedNumber > setting.max) return 'range'
  return null
}
