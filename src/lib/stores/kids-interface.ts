/**
 * The interface of kids profiles: larger cards, fewer words, and spoken labels if a parent turned them on. The styles
 * are not in app.css, because adult profiles never need them.
 */
import type { Profile } from '../contract/profiles.ts'

/**
 * Sets the number of cards per row: one or two fewer than in the adult interface at the same width, but at least two.
 * Also hides the synopsis of the hero.
 */
const CARD_STYLES = `
:root { --cards: 2; }
@media (width >= 62.5em) { :root { --cards: 3; } }
@media (width >= 87.5em) { :root { --cards: 4; } }
.hero-synopsis { position: absolute; visibility: hidden; }
`
/**
 * Shows the navigation icons at every width. Adults see them only on phones. navigation.svg contains the icons side by
 * side, in the order of the links.
 */
const NAVIGATION_STYLES = `
@media (width >= 48rem) {
  .bar > nav a { gap: 0.4em; }
  .bar > nav a::before {
    content: '';
    flex: none;
    width: 1.5em;
    height: 1.5em;
    background: currentColor;
    mask: url('/icons/navigation.svg') 0 0 / 6em 1.5em;
  }
  ${[2, 3, 4].map((position) => `.bar > nav li:nth-child(${position}) a::before { mask-position: ${-1.5 * (position - 1)}em 0; }`).join('\n')}
}
`
const styleSheet = new CSSStyleSheet()
styleSheet.replaceSync(CARD_STYLES + NAVIGATION_STYLES)

let speechLanguage = 'en'
let areLabelsSpoken = false
/** The control whose label was spoken last; null after the pointer or the focus has left all controls. */
let lastSpokenControl: HTMLElement | null = null
let lastSpokenLabel = ''

/** Applies the kids interface for a kids profile, and removes it for other profiles. */
export function applyKidsInterface({ kids, spoken_labels, preferences }: Profile): void {
  const otherStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== styleSheet)
  document.adoptedStyleSheets = kids ? [...otherStyleSheets, styleSheet] : otherStyleSheets
  speechLanguage = preferences.language
  const shouldSpeak = kids && spoken_labels && 'speechSynthesis' in globalThis
  if (shouldSpeak === areLabelsSpoken) return
  areLabelsSpoken = shouldSpeak
  resetSpokenLabel()
  const listenerMethod = shouldSpeak ? 'addEventListener' : 'removeEventListener'
  document[listenerMethod]('focusin', speakLabelOfTarget)
  document[listenerMethod]('pointerover', speakLabelOfTarget)
  document[listenerMethod]('pointerout', resetAfterLeavingWindow)
  if (!shouldSpeak) globalThis.speechSynthesis?.cancel()
}

/**
 * Resets the spoken control and its label when the mouse leaves the window, because no `pointerover` event follows
 * then.
 */
function resetAfterLeavingWindow(event: Event): void {
  const { pointerType, relatedTarget } = event as PointerEvent
  if (pointerType === 'mouse' && relatedTarget === null) resetSpokenLabel()
}

function resetSpokenLabel(): void {
  lastSpokenControl = null
  lastSpokenLabel = ''
}

/**
 * Speaks the name of a link or control that gets the focus or that the pointer enters. A name is also spoken if the
 * previous control has the same name, because a child could otherwise not know that another control was reached. The
 * name is not repeated when the pointer moves over the parts of a control, or when a click focuses the control. A
 * child can hear a name again by pointing at the control again, or by touching it again.
 */
function speakLabelOfTarget(event: Event): void {
  const { target } = event
  // No event reports that a touch has ended outside all controls, so every touch speaks the name again.
  if ('pointerType' in event && event.pointerType === 'touch') resetSpokenLabel()
  const control = target instanceof Element ? target.closest<HTMLElement>('a, button, input, select') : null
  if (!control) {
    resetSpokenLabel()
    return
  }
  const label = findLabel(control)
  if (!label || (control === lastSpokenControl && label === lastSpokenLabel)) return
  lastSpokenControl = control
  lastSpokenLabel = label
  const utterance = new SpeechSynthesisUtterance(label)
  utterance.lang = speechLanguage
  speechSynthesis.cancel()
  speechSynthesis.speak(utterance)
}

function findLabel(control: HTMLElement): string {
  const label = control.getAttribute('aria-label') || control.querySelector('img')?.alt
  return (label || readAccessibleText(control) || control.title).trim().slice(0, 120)
}

/** Returns the text without the parts that are hidden from assistive technology, such as the caption of a card. */
function readAccessibleText(control: HTMLElement): string {
  const controlCopy = control.cloneNode(true) as HTMLElement
  for (const hiddenElement of controlCopy.querySelectorAll('[aria-hidden=true]')) hiddenElement.remove()
  return controlCopy.textContent ?? ''
}
