import { ApiError } from '../../lib/client/errors.ts'
import { formatClock } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/t.ts'

/** Why a password was not taken, in words; says nothing of which part was wrong. */
export function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors:generic')
  if (error.type === 'network_error') return t('errors:network')
  if (error.type === 'rate_limited') return t('auth:tooMany', { time: formatClock(error.retryAfter ?? 30) })
  if (error.type === 'unauthorized') return t('auth:incorrect')
  return t('errors:generic')
}
