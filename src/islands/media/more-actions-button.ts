/**
 * The "More actions" button of the focused card. It is the next Tab stop after the card. The arrow keys of a
 * row skip it.
 */
import { t } from '../../lib/i18n/t.ts'

let currentButton: HTMLButtonElement | null = null

/**
 * Inserts the button after the card and removes it once another element has the focus. If the button were removed
 * while the focus leaves the page, focus-restoration.ts would focus the card again. The Tab key could then never move
 * the focus out of the page.
 */
export function showMoreActionsButton(cardElement: HTMLElement, titleName: string, onOpen: () => void): void {
  currentButton?.remove()
  const button = document.createElement('button')
  currentButton = button
  button.className = 'more-actions'
  button.dataset['more'] = ''
  button.textContent = '•••'
  button.setAttribute('aria-label', t('common:pair', { name: t('common:moreActions'), value: titleName }))
  button.setAttribute('aria-haspopup', 'dialog')
  button.addEventListener('click', onOpen)
  cardElement.after(button)
  const handleFocusIn = ({ target }: FocusEvent) => {
    if (target === button || target === cardElement) return
    removeEventListener('focusin', handleFocusIn)
    button.remove()
  }
  addEventListener('focusin', handleFocusIn)
}
