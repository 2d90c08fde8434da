import { t } from '../lib/i18n/t.ts'
import { UNKNOWN_DEVICE_NAME } from '../lib/rules/limits.ts'

/** Returns the device name for display. The placeholder for an unknown device is translated. */
export const formatDeviceName = (name: string): string =>
  name === UNKNOWN_DEVICE_NAME ? t('common:unknownDevice') : name
