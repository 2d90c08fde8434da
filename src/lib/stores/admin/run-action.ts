/** Runs actions of the dashboard. Displays the success with an optional Undo, or the reason of the failure. */
import { ApiError } from '../../client/errors.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { showToast, type Toast } from '../toast.ts'

/** Message keys of errors that have a specific message. The keys of this record are `field:code` of the error. */
const MESSAGE_KEYS_BY_ERROR: Record<string, TranslationKey> = {
  'role:last_admin': 'dashboard:lastAdmin',
  'job:running': 'dashboard:alreadyRunning',
  'block:already_there': 'dashboard:alreadyBlocked',
  'cache:not_configured': 'dashboard:notSetUp',
  'setting:set_by_variable': 'dashboardsystem:settingByVariable',
  'setting:no_other_way': 'dashboardsystem:noOtherWay',
  'email:taken': 'dashboardpeople:emailTaken',
  'password:off': 'dashboardpeople:passwordsOff',
  'issuer:does_not_fit': 'dashboardsystem:invalidIssuer',
  'issuer:twice': 'dashboardsystem:issuerTaken',
  'list:changed': 'dashboardsystem:listChanged',
  'value:does_not_fit': 'dashboardsystem:invalidText',
  'tmdb:unknown_title': 'dashboard:tmdbUnknownTitle',
  'tmdb:id_conflict': 'dashboard:tmdbIdConflict',
  'tmdb:not_configured': 'dashboard:tmdbNotConfigured',
  'artwork:drawn': 'dashboardlibrary:postersNeedArtwork',
  'titles:exists': 'dashboardlibrary:titleExists',
  'address:unusable': 'dashboardsystem:invalidAddress',
  'media_server:not_configured': 'dashboard:notSetUp',
  'imdb_id:taken': 'dashboard:idTaken',
  'tmdb_id:taken': 'dashboard:idTaken',
}

/** Returns the translation key of the message for an error. */
export function getErrorMessageKey(error: unknown): TranslationKey {
  if (!(error instanceof ApiError)) return 'dashboard:failed'
  if (error.status === 0) return 'dashboard:offline'
  for (const [field, errorCodes] of Object.entries(error.errors))
    for (const errorCode of errorCodes) {
      const messageKey = MESSAGE_KEYS_BY_ERROR[`${field}:${errorCode}`]
      if (messageKey) return messageKey
    }
  if (error.status === 404) return 'errors:gone'
  if (error.status === 502) return 'dashboard:upstreamFailed'
  if (error.status === 422 || error.status === 400) return 'dashboard:invalid'
  return 'dashboard:failed'
}

type ToastOptions = Partial<Pick<Toast, 'values' | 'undo'>>

/**
 * Runs an action and displays a toast with its result. `successKey` can be a function that chooses the key from what
 * the action returns.
 */
export async function runAdminAction<T>(
  successKey: TranslationKey | ((actionResult: T) => TranslationKey),
  action: () => Promise<T>,
  toastOptions: ToastOptions = {},
): Promise<void> {
  const failureKey = await submitAdminForm(successKey, action, toastOptions)
  if (failureKey) showToast(failureKey, { kind: 'bad' })
}

/**
 * Runs an action. Displays a toast after success, unless `successKey` is null. After a failure, returns the key of the
 * message, which the calling form displays beside its fields.
 */
export async function submitAdminForm<T>(
  successKey: TranslationKey | ((actionResult: T) => TranslationKey) | null,
  action: () => Promise<T>,
  toastOptions: ToastOptions = {},
): Promise<TranslationKey | null> {
  try {
    const actionResult = await action()
    if (successKey)
      showToast(typeof successKey === 'function' ? successKey(actionResult) : successKey, toastOptions)
    return null
  } catch (error) {
    return getErrorMessageKey(error)
  }
}
