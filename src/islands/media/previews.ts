/**
 * More of a title than its card says (ux.md, "Hover preview card"): where a pointer rests, over the card; for the keyboard
 * (menu key, Shift+F10, the "More actions" button) and a remote (holding OK) as a dialog there; for a finger that holds it,
 * as a sheet. Comes with the first card that is met.
 */
import type { MediaCard } from '../../lib/contract/media.ts'
import { imageUrl } from '../../lib/images.ts'
import { lookAhead, pressAhead } from '../../lib/stores/preview.ts'
import { isRemote } from '../remote.ts'
import { swallowMenu, whenHeld, whenKeyHeld } from './hold.ts'
import { offerMore } from './more-button.ts'
import { whenRested } from './rest.ts'

const FINE = matchMedia('(hover: hover) and (pointer: fine)')
const met = new WeakMap<Element, MediaCard>()

/** A pointer came over a card, or the focus. */
export function meet(card: HTMLElement, media: MediaCard, event: Event): void {
  /* The player has keys of its own, and its full screen would hide what stands outside it. */
  if (card.closest('.theatre')) return
  met.set(card, media)
  if (!(event instanceof PointerEvent)) focused(card, media)
  else if (event.pointerType === 'touch') whenHeld(card, () => void open(card, 'sheet'))
  else {
    lookAhead(media)
    if (isWanted()) whenRested(card, () => void open(card, 'hover'))
  }
}

/** In lite mode nothing opens by itself. */
const isWanted = () => FINE.matches && !('lite' in document.documentElement.dataset)

function focused(card: HTMLElement, media: MediaCard): void {
  lookAhead(media)
  if (document.activeElement !== card || !card.matches(':focus-visible')) return
  card.setAttribute('aria-keyshortcuts', 'Shift+F10')
  /* Arrows go from card to card; who drives with them holds OK. */
  if (!isRemote()) offerMore(card, media.title, () => void open(card, 'menu'))
}

async function open(card: HTMLElement, way: 'hover' | 'menu' | 'sheet'): Promise<void> {
  const { showPreview } = await import('./show-preview.tsx')
  const media = met.get(card)
  if (media && card.isConnected) showPreview({ card, media, way })
}

function onKey(event: KeyboardEvent): void {
  const card = document.activeElement
  if (!(card instanceof HTMLElement) || !met.has(card) || event.defaultPrevented) return
  if (event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    event.preventDefault()
    swallowMenu()
    void open(card, 'menu')
  } else if (event.key === 'Enter' && isRemote() && !event.repeat && !event.shiftKey) {
    whenKeyHeld(event, card, () => void open(card, 'menu'))
  }
}

/** What is pressed is opened next: its page's picture and buttons are asked for before it is put together. */
function onPress({ target, pointerType, button }: PointerEvent): void {
  /* A finger may be about to scroll. */
  if (pointerType !== 'mouse' || button !== 0 || !(target instanceof Element)) return
  const card = target.closest('[data-card]')
  const media = card && met.get(card)
  if (!media) return
  pressAhead(media)
  const picture = imageUrl(media.backdrop_path, 'w1280')
  if (picture) new Image().src = picture
}

addEventListener('keydown', onKey)
addEventListener('pointerdown', onPress, { passive: true })
