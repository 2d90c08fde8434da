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

/** A message belongs to the acting profile, because its Undo reverts a change of that profile. */
export const $toast = perProfile<Toast | null>(() => null)
let lastToastId = 0

export function showToast(key: TranslationKey, options: Partial<Omit<Toast, 'id' | 'key'>> = {}): void {
  lastToastId += 1
  $toast.set({ kind: 'good', ...options, id: lastToastId, key })
}

const FAILURE_KEYS_BY_STATUS: Record<number, TranslationKey> = {
  0: 'errors:network',
  404: 'errors:gone',
  429: 'errors:tooMany',
}

/** Returns the translation key of the reason why an action failed. */
export const getFailureKey = (error: unknown): TranslationKey =>
  FAILURE_KEYS_BY_STATUS[(error as ApiError).status] ?? 'errors:failed'

export const showFailure = (error: unknown) => showToast(getFailureKey(error), { kind: 'bad' })

export function dismissToast(id: number): void {
  if ($toast.get()?.id === id) $toast.set(null)
}
