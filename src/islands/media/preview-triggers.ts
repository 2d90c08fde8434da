/**
 * Opens the preview of a title card. Mouse hover opens it over the card. The keyboard (menu key, Shift+F10,
 * "More actions") or holding OK on a remote control opens it as a dialog. A long touch opens it as a bottom
 * sheet. This module is loaded when the first card is hovered or focused.
 */
import type { MediaCard } from '../../lib/contract/media.ts'
import { getImageUrl } from '../../lib/images.ts'
import { readStorage, writeStorage } from '../../lib/storage.ts'
import { HOLD_HINT_KEY } from '../../lib/storage-keys.ts'
import { prefetchActionState, prefetchDetails } from '../../lib/stores/preview.ts'
import { $toast, showToast } from '../../lib/stores/toast.ts'
import { waitForPaint } from '../../lib/wait-for-paint.ts'
import { isInRemoteControlMode } from '../navigation-state.ts'
import { watchHoverIntent } from './hover-intent.ts'
import { suppressContextMenu, watchLongKeyPress, watchLongTouch } from './long-press.ts'
import { showMoreActionsButton } from './more-actions-button.ts'

const FINE_POINTER_QUERY = matchMedia('(hover: hover) and (pointer: fine)')
const titlesByCard = new WeakMap<Element, MediaCard>()

/**
 * Makes the preview of a card open on hover, on a long touch or from the keyboard. Prefetches the details of the title,
 * unless the pointer is a touch. Call this when a pointer enters the card or the card receives the focus.
 */
export function preparePreview(cardElement: HTMLElement, title: MediaCard, event: Event): void {
  /*
   * Cards in the player get no preview, because the player handles its own keys and would cover the preview
   * in fullscreen.
   */
  if (cardElement.closest('.theatre')) return
  titlesByCard.set(cardElement, title)
  if (!(event instanceof PointerEvent)) prepareOpeningByKey(cardElement, title)
  else if (event.pointerType === 'touch')
    watchLongTouch(cardElement, () => void openPreview(cardElement, 'sheet'))
  else {
    prefetchDetails(title)
    if (canOpenOnHover()) watchHoverIntent(cardElement, () => loadPreview(cardElement, 'hover'))
  }
}

/** True if hovering opens previews: with a mouse, and not in lite mode. */
const canOpenOnHover = () => FINE_POINTER_QUERY.matches && !('lite' in document.documentElement.dataset)

function prepareOpeningByKey(cardElement: HTMLElement, title: MediaCard): void {
  prefetchDetails(title)
  if (document.activeElement !== cardElement || !cardElement.matches(':focus-visible')) return
  cardElement.setAttribute('aria-keyshortcuts', 'Shift+F10')
  /* A remote control needs no "More actions" button, because holding OK opens the preview. */
  if (isInRemoteControlMode()) showHoldHint()
  else showMoreActionsButton(cardElement, title.title, () => void openPreview(cardElement, 'menu'))
}

/**
 * Explains once per device that holding OK opens the preview of a card. While a toast is shown, the explanation is
 * postponed.
 */
function showHoldHint(): void {
  if ($toast.get() || readStorage('localStorage', HOLD_HINT_KEY)) return
  writeStorage('localStorage', HOLD_HINT_KEY, '1')
  showToast('common:holdOk')
}

/** Loads the code of the preview. Returns a function that opens the preview of the card. */
async function loadPreview(
  cardElement: HTMLElement,
  trigger: 'hover' | 'menu' | 'sheet',
): Promise<() => void> {
  const { showPreview } = await import('./show-preview.tsx')
  return () => {
    const title = titlesByCard.get(cardElement)
    if (title && cardElement.isConnected) showPreview({ cardElement, title, trigger })
  }
}

async function openPreview(cardElement: HTMLElement, trigger: 'menu' | 'sheet'): Promise<void> {
  const showLoadedPreview = await loadPreview(cardElement, trigger)
  showLoadedPreview()
}

function handleKeydown(event: KeyboardEvent): void {
  const cardElement = document.activeElement
  if (!(cardElement instanceof HTMLElement) || !titlesByCard.has(cardElement) || event.defaultPrevented)
    return
  if (event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
    event.preventDefault()
    suppressContextMenu()
    void openPreview(cardElement, 'menu')
  } else if (event.key === 'Enter' && isInRemoteControlMode() && !event.repeat && !event.shiftKey) {
    watchLongKeyPress(event, cardElement, () => void openPreview(cardElement, 'menu'))
  }
}

/** Prefetches the state of the action buttons and the backdrop of the title page that the press is about to open. */
async function handlePointerDown({ target, pointerType, button }: PointerEvent): Promise<void> {
  /* Only mouse presses count, because a touch may be the start of a scroll. */
  if (pointerType !== 'mouse' || button !== 0 || !(target instanceof Element)) return
  const cardElement = target.closest('[data-card]')
  const title = cardElement && titlesByCard.get(cardElement)
  if (!title) return
  // Waits until the page shows that the card is pressed, because the prefetch would delay that frame.
  await waitForPaint()
  prefetchActionState(title)
  const backdropUrl = getImageUrl(title.backdrop_path, 'w1280')
  if (backdropUrl) new Image().src = backdropUrl
}

addEventListener('keydown', handleKeydown)
addEventListener('pointerdown', handlePointerDown, { passive: true })
