import { t } from '../lib/i18n/t.ts'
import { UNKNOWN_DEVICE } from '../lib/rules/limits.ts'

/** Returns the device name for display, with the placeholder for an unknown device translated. */
export const deviceName = (name: string): string =>
  name === UNKNOWN_DEVICE ? t('common:unknownDevice') : name
