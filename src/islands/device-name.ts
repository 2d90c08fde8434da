import { t } from '../lib/i18n/t.ts'
import { UNKNOWN_DEVICE } from '../lib/rules/limits.ts'

/** A device's name as it is shown. */
export const deviceName = (name: string): string =>
  name === UNKNOWN_DEVICE ? t('common:unknownDevice') : name
