import { ApiError } from '../../lib/client/errors.ts'
import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { formatAuthError } from '../auth/format-auth-error.ts'

/** Returns the message for a failed sign-in or link with an identity provider. */
export function formatProviderError(error: unknown): string {
  const errorCode = error instanceof ApiError ? error.errors['provider']?.[0] : undefined
  return errorCode
    ? translateDynamicKey(`auth:provider_${errorCode}`, t('errors:generic'))
    : formatAuthError(error)
}
