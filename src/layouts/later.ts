/** What the first picture does without: it comes once the page has settled, the arrows of a remote with their first press. */
const ARROWS = /^Arrow(Left|Right|Up|Down)$/

function onFirstArrow(event: KeyboardEvent): void {
  if (!ARROWS.test(event.key)) return
  removeEventListener('keydown', onFirstArrow)
  void import('./arrow-keys.ts').then(({ onArrow }) => onArrow(event)).catch(() => {})
}

function settle(): void {
  removeEventListener('keydown', onFirstArrow)
  void import('./arrow-keys.ts').catch(() => addEventListener('keydown', onFirstArrow))
  void import('./late-frames.ts').catch(() => {})
  void import('./plain-swaps.ts').catch(() => {})
  /* When it is wanted the network may be gone. */
  void import('../islands/errors/ErrorScreen.tsx').catch(() => {})
}

addEventListener('keydown', onFirstArrow)
if (document.readyState === 'complete') settle()
else addEventListener('load', settle, { once: true })
