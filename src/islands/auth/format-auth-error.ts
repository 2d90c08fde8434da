import { ApiError } from '../../lib/client/errors.ts'
import { formatDigitalDuration } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'

/** Returns the message for a failed sign-in. It does not reveal whether the email or the password was wrong. */
export function formatAuthError(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors:generic')
  if (error.type === 'network_error') return t('errors:network')
  if (error.type === 'rate_limited')
    return t('auth:tooMany', { time: formatDigitalDuration(error.retryAfterSeconds ?? 30) })
  if (error.type === 'unauthorized') return t('auth:incorrect')
  return t('errors:generic')
}
