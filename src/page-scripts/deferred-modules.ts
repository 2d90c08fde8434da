/**
 * Loads modules that the first render does not need: after the load event, or when the pointer is pressed before that
 * event. An arrow key that is pressed earlier loads only arrow-keys.ts.
 */
import { loadRouter } from '../lib/client-navigation.ts'

const ARROW_KEY_PATTERN = /^Arrow(Left|Right|Up|Down)$/
let isLoading = false

function handleFirstArrowKey(event: KeyboardEvent): void {
  if (!ARROW_KEY_PATTERN.test(event.key)) return
  removeEventListener('keydown', handleFirstArrowKey)
  void import('./arrow-keys.ts').then(({ handleArrowKey: onArrow }) => onArrow(event)).catch(() => {})
}

function loadDeferredModules(): void {
  if (isLoading) return
  isLoading = true
  removeEventListener('keydown', handleFirstArrowKey)
  loadRouter().catch(() => {})
  /* Until this module is loaded, the browser opens a new document for a clicked link. */
  void import('./page-transitions.ts').catch(() => {})
  void import('./arrow-keys.ts').catch(() => addEventListener('keydown', handleFirstArrowKey))
  void import('../islands/mount-toasts.tsx').catch(() => {})
  void import('./lite-mode-detection.ts').catch(() => {})
  /* The error screen is loaded in advance, because it may be needed while the network is down. */
  void import('../islands/errors/ErrorScreen.tsx').catch(() => {})
}

addEventListener('keydown', handleFirstArrowKey)
addEventListener('pointerdown', loadDeferredModules, { once: true })
if (document.readyState === 'complete') loadDeferredModules()
else addEventListener('load', loadDeferredModules, { once: true })
