/**
 * Lets a paired phone control this page. Applies the input of the phone to the focused element, makes the focus
 * visible, and shows a message when the phone connects or disconnects.
 */
import {
  $televisionPairing,
  openTelevisionPairing,
  resumeTelevisionPairing,
} from '../../lib/stores/remote-television.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { applyRemoteInput } from './apply-remote-input.ts'

/**
 * Styles that make the focus visible while a phone is paired. Browsers do not apply `:focus-visible` then, because no
 * key of this device is pressed. The styles are in a constructed style sheet, because only pages with a paired phone
 * need them.
 */
const focusStyles = globalThis.CSSStyleSheet ? new CSSStyleSheet() : null
focusStyles?.replaceSync(':focus:not(main) { outline: 3px solid var(--color-accent); outline-offset: 3px }')

let wasPaired = false
let isResuming = false
$televisionPairing.subscribe(({ status }) => {
  const isPaired = status === 'paired'
  // The previous page may have shown a code that no phone used. Such a pairing ends without a message.
  const isUnusedCode = isResuming && status === 'none'
  if (isPaired !== wasPaired && !isUnusedCode) showToast(isPaired ? 'common:phonePaired' : 'common:phoneGone')
  wasPaired = isPaired
  isResuming = false
  if (!focusStyles) return
  const otherStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== focusStyles)
  document.adoptedStyleSheets = isPaired ? [...otherStyleSheets, focusStyles] : otherStyleSheets
})

export const openPairing = (): Promise<void> => openTelevisionPairing(applyRemoteInput)

export function resumePairing(): Promise<void> {
  // If a phone is paired, the previous page has already shown a message. The message must not be shown again.
  wasPaired = true
  isResuming = true
  return resumeTelevisionPairing(applyRemoteInput)
}
