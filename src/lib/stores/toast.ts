/** Displays one message at a time for some seconds. Stores pass translation keys, not texts. */
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

export function dismissToast(id: number): void {
  if ($toast.get()?.id === id) $toast.set(null)
}
