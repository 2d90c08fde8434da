/** Displays one message at a time for some seconds. Stores pass translation keys, not texts. */
import type { ApiError } from '../client/errors.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { perProfile } from './per-profile.ts'

export interface Toast {
  id: number
  key: TranslationKey
  values?: Record<string, string | number>
  kind: 'good' | 'bad'
  undo?: () => void
}
export const TOAST_DURATION_MS = 4_000
/** Display time of a message with Undo. The user needs time to read, decide and reach the button with a remote. */
export const UNDO_TOAST_DURATION_MS = 10_000

/** A message belongs to the acting profile, because its Undo reverts a change of that profile. */
export const $toast = perProfile<Toast | null>(() => null)
let lastToastId = 0

export function showToast(key: TranslationKey, options: Partial<Omit<Toast, 'id' | 'key'>> = {}): void {
  lastToastId += 1
  $toast.set({ kind: 'good', ...options, id: lastToastId, key })
}

/** Returns the translation key of the reason why an action failed. */
export function getFailureKey(error: unknown): TranslationKey {
  const { status } = error as Partial<ApiError>
  if (status === 0) return 'errors:network'
  if (status === 404) return 'errors:gone'
  return status === 429 ? 'errors:tooMany' : 'errors:failed'
}

export const showFailure = (error: unknown) => showToast(getFailureKey(error), { kind: 'bad' })

export function dismissToast(id: number): void {
  if ($toast.get()?.id === id) $toast.set(null)
}
