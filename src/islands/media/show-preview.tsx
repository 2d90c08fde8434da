/** Opens and closes the preview, which has a separate React root. Only one preview is open at a time. */
import { createRoot, type Root } from 'react-dom/client'
import type { MediaCard } from '../../lib/contract/media.ts'
import { onProfileReset } from '../../lib/stores/per-profile.ts'
import { $previewedTitle } from '../../lib/stores/preview.ts'
import { isMotionReduced } from '../../ui/motion.ts'
import { cancelHoverIntent, pauseHoverIntent } from './hover-intent.ts'
import { DialogPreviewCard, HoverPreviewCard } from './PreviewCard.tsx'

interface PreviewRequest {
  cardElement: HTMLElement
  title: MediaCard
  trigger: 'hover' | 'menu' | 'sheet'
}
interface OpenedPreview extends PreviewRequest {
  /**
   * The list of the card and the position of the card in it. After a dislike, the card disappears, and the card that is
   * then at this position, or else the last card, can get the focus.
   */
  listElement: Element | null
  cardIndex: number
  host: HTMLElement
  root: Root
  /** Aborted when the preview closes, so that its listeners are removed. */
  lifetimeController: AbortController
}

/** Time after which the preview closes when the pointer has left both the card and the preview. */
const CLOSE_DELAY_MS = 175
const FADE_MS = 120
let currentPreview: OpenedPreview | null = null

onProfileReset(() => {
  /*
   * No preview may open before the page is rendered again, because the card below the pointer may still show a title of
   * the previous profile.
   */
  cancelHoverIntent()
  closePreview()
})

export function showPreview(request: PreviewRequest): void {
  /*
   * A card that is larger than its preview is hovered again when the pointer moves from the preview to the card. The
   * preview then stays open.
   */
  const isShown = currentPreview?.trigger === 'hover' && currentPreview.cardElement === request.cardElement
  if (isShown && request.trigger === 'hover') return
  closePreview()
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  const listElement = request.cardElement.closest('ul')
  const cardIndex = listCards(listElement).indexOf(request.cardElement)
  currentPreview = {
    ...request,
    listElement,
    cardIndex,
    host,
    root,
    lifetimeController: new AbortController(),
  }
  $previewedTitle.set(request.title)
  const { cardElement, title, trigger } = request
  root.render(
    trigger === 'hover' ? (
      <HoverPreviewCard cardElement={cardElement} title={title} />
    ) : (
      <DialogPreviewCard
        cardElement={cardElement}
        title={title}
        isSheet={trigger === 'sheet'}
        onClose={closePreview}
      />
    ),
  )
  const { signal } = currentPreview.lifetimeController
  document.addEventListener('astro:before-preparation', closePreview, { signal })
  if (trigger === 'hover') closeOnLeaveOrInput(currentPreview)
}

function closePreview(): void {
  if (!currentPreview) return
  const { host, root, lifetimeController, cardElement, listElement, cardIndex, trigger } = currentPreview
  const hadFocus = host.contains(document.activeElement)
  currentPreview = null
  lifetimeController.abort()
  $previewedTitle.set(null)
  if (trigger === 'hover' && host.isConnected && !isMotionReduced()) fadeOutCopy(host)
  root.unmount()
  host.remove()
  if (cardElement.isConnected) {
    if (hadFocus) cardElement.focus({ preventScroll: true })
  } else if (hadFocus || (trigger !== 'hover' && document.activeElement === document.body)) {
    const cards = listCards(listElement)
    const cardToFocus = cards[cardIndex] ?? cards.at(-1)
    cardToFocus?.focus({ preventScroll: true })
  }
}

const listCards = (listElement: Element | null) => [
  ...(listElement?.querySelectorAll<HTMLElement>('[data-card]') ?? []),
]

/** Fades out an inert copy of the preview, so that the preview itself can be removed at once. */
function fadeOutCopy(host: HTMLElement): void {
  const previewCopy = host.firstElementChild?.cloneNode(true)
  if (!(previewCopy instanceof HTMLElement)) return
  previewCopy.inert = true
  previewCopy.removeAttribute('role')
  previewCopy.ariaHidden = 'true'
  previewCopy.style.animation = 'none'
  previewCopy.style.pointerEvents = 'none'
  document.body.append(previewCopy)
  const animation = previewCopy.animate({ opacity: 0, scale: 0.92 }, { duration: FADE_MS, easing: 'ease-in' })
  animation.onfinish = () => previewCopy.remove()
}

const MODIFIER_KEYS = ['Shift', 'Control', 'Alt', 'Meta']

/**
 * For a preview that was opened by hover: closes it when the pointer leaves the preview and its card, or on a press or
 * key outside the preview. Escape, any scroll, and a window that is resized or loses the focus also close it.
 */
function closeOnLeaveOrInput({ cardElement, host, lifetimeController: { signal } }: OpenedPreview): void {
  let closeTimer: ReturnType<typeof setTimeout> | undefined
  const isInside = (target: EventTarget | null, ...containers: HTMLElement[]) =>
    target instanceof Node && containers.some((container) => container.contains(target))
  const handlePointerOver = ({ target }: Event) => {
    clearTimeout(closeTimer)
    closeTimer = isInside(target, host, cardElement) ? undefined : setTimeout(closePreview, CLOSE_DELAY_MS)
  }
  const closeAndPause = () => {
    pauseHoverIntent()
    closePreview()
  }
  const handlePointerDown = ({ target }: Event) => {
    if (!isInside(target, host)) closeAndPause()
  }
  const handleKeydown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') event.preventDefault()
    else if (isInside(document.activeElement, host) || MODIFIER_KEYS.includes(event.key)) return
    closeAndPause()
  }
  signal.addEventListener('abort', () => clearTimeout(closeTimer))
  document.addEventListener('pointerover', handlePointerOver, { signal })
  document.documentElement.addEventListener('pointerleave', handlePointerOver, { signal })
  document.addEventListener('pointerdown', handlePointerDown, { signal, capture: true })
  document.addEventListener('scroll', closeAndPause, { signal, capture: true, passive: true })
  addEventListener('resize', closeAndPause, { signal })
  addEventListener('blur', closeAndPause, { signal })
  addEventListener('keydown', handleKeydown, { signal, capture: true })
}
