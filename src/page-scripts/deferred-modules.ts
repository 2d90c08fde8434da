/** Loads modules that the first render does not need: after the load event, or earlier on the first arrow key. */
const ARROW_KEYS = /^Arrow(Left|Right|Up|Down)$/

function handleFirstArrowKey(event: KeyboardEvent): void {
  if (!ARROW_KEYS.test(event.key)) return
  removeEventListener('keydown', handleFirstArrowKey)
  void import('./arrow-keys.ts').then(({ handleArrowKey: onArrow }) => onArrow(event)).catch(() => {})
}

function loadModules(): void {
  removeEventListener('keydown', handleFirstArrowKey)
  void import('./arrow-keys.ts').catch(() => addEventListener('keydown', handleFirstArrowKey))
  void import('./lite-mode-detection.ts').catch(() => {})
  void import('./page-transitions.ts').catch(() => {})
  /* Loaded in advance, because it may be needed when the network is down. */
  void import('../islands/errors/ErrorScreen.tsx').catch(() => {})
}

addEventListener('keydown', handleFirstArrowKey)
if (document.readyState === 'complete') loadModules()
else addEventListener('load', loadModules, { once: true })
