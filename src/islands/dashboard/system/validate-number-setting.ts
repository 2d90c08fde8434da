import type { Setting } from '../../../lib/contract/admin.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'

/** Returns the reason why the text is not a valid value of the setting; null if it is valid. */
export function validateNumberSetting(
  setting: Pick<Setting, 'min' | 'max'>,
  numberText: string,
): 'integer' | 'range' | null {
  const parsedNumber = parseWholeNumber(numberText)
  if (parsedNumber === null) return 'integer'
  if (setting.min !== null && parsedNumber < setting.min) return 'range'
  if (setting.max !== null && parsedNumber > setting.max) return 'range'
  return null
}
