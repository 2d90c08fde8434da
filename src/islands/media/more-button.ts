/** "More actions" beside the card that has the focus: the next stop of Tab, and no stop for the arrows of a row. */
import { t } from '../../lib/i18n/t.ts'

let button: HTMLButtonElement | null = null

function remove(): void {
  button?.remove()
  button = null
}

/** Stands over the card until the focus has left both. */
export function offerMore(card: HTMLElement, name: string, open: () => void): void {
  remove()
  const more = document.createElement('button')
  button = more
  more.type = 'button'
  more.className = 'more-actions'
  more.dataset['more'] = ''
  more.textContent = '•••'
  more.title = t('common:moreActions')
  more.setAttribute('aria-label', `${more.title}: ${name}`)
  more.setAttribute('aria-haspopup', 'dialog')
  more.addEventListener('click', open)
  card.after(more)
  const left = ({ relatedTarget: to }: FocusEvent) => {
    if (to === more || to === card) return
    card.removeEventListener('focusout', left)
    if (button === more) remove()
  }
  card.addEventListener('focusout', left)
  more.addEventListener('focusout', left)
}
