import type { Setting } from '../../../lib/contract/admin.ts'
import { getLanguageName } from '../../../lib/i18n/format.ts'
import { isLocale, LOCALE_NAMES } from '../../../lib/i18n/locales.ts'
import { formatNumber, getCurrentLocale, t, translateDynamicKey } from '../../../lib/i18n/t.ts'

/** Returns the translated name of a setting. */
export const getSettingName = (setting: Setting) =>
  translateDynamicKey(`dashboardsystem:setting_${setting.key}`, setting.key)

/** Returns the value as text, for example a language name, a translated choice, or a number with its unit. */
export function formatSettingValue(setting: Setting, value: Setting['value']): string {
  if (typeof value === 'boolean') return t(value ? 'dashboard:isOn' : 'dashboard:isOff')
  if (typeof value === 'number') {
    const formattedNumber = formatNumber(value)
    return setting.unit && setting.unit !== 'count'
      ? `${formattedNumber} ${t(`dashboardsystem:unit_${setting.unit}`, { count: value })}`
      : formattedNumber
  }
  if (setting.key.endsWith('language'))
    return isLocale(value) ? LOCALE_NAMES[value] : getLanguageName(value, getCurrentLocale())
  return translateDynamicKey(`dashboardsystem:choice_${value}`, value)
}
