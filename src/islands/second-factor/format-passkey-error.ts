import { ApiError } from '../../lib/client/errors.ts'
import { t } from '../../lib/i18n/t.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'

/** Returns the message for an error of the API; null for other errors, such as a prompt that the user has closed. */
export function formatPasskeyError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  const { passkey, second_factor: secondFactor, credential } = error.errors
  if (passkey?.[0] === 'unavailable') return t('secondfactor:passkeyUnavailable')
  if (passkey ?? secondFactor ?? credential) return t('secondfactor:passkeyRejected')
  return formatAuthError(error)
}
