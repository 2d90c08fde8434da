/**
 * The "More actions" button of the focused card. It is the next Tab stop after the card. The arrow keys of a
 * row skip it.
 */
import { t } from '../../lib/i18n/t.ts'

let currentButton: HTMLButtonElement | null = null

function removeButton(): void {
  currentButton?.remove()
  currentButton = null
}

/** Inserts the button after the card and removes it once the focus has left both. */
export function showMoreActionsButton(cardElement: HTMLElement, titleName: string, onOpen: () => void): void {
  removeButton()
  const button = document.createElement('button')
  currentButton = button
  button.type = 'button'
  button.className = 'more-actions'
  button.dataset['more'] = ''
  button.textContent = '•••'
  button.title = t('common:moreActions')
  button.setAttribute('aria-label', `${button.title}: ${titleName}`)
  button.setAttribute('aria-haspopup', 'dialog')
  button.addEventListener('click', onOpen)
  cardElement.after(button)
  const handleFocusOut = ({ relatedTarget: focusTarget }: FocusEvent) => {
    if (focusTarget === button || focusTarget === cardElement) return
    cardElement.removeEventListener('focusout', handleFocusOut)
    if (currentButton === button) removeButton()
  }
  cardElement.addEventListener('focusout', handleFocusOut)
  button.addEventListener('focusout', handleFocusOut)
}
