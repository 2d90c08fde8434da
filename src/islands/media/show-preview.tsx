/** One preview at a time: opens it in a root of its own, and closes it when its time is over. */
import { createRoot, type Root } from 'react-dom/client'
import type { MediaCard } from '../../lib/contract/media.ts'
import { $previewed } from '../../lib/stores/preview.ts'
import { HoverCard, MenuCard } from './PreviewCard.tsx'
import { park } from './rest.ts'

interface Asked {
  card: HTMLElement
  media: MediaCard
  way: 'hover' | 'menu' | 'sheet'
}
interface Shown extends Asked {
  host: HTMLElement
  root: Root
  /** Aborted when it closes. */
  life: AbortController
}

/** From leaving the card and the preview. */
const LEFT_MS = 175
const FADE_MS = 120
let shown: Shown | null = null

export function showPreview(asked: Asked): void {
  close()
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  shown = { ...asked, host, root, life: new AbortController() }
  $previewed.set(asked.media)
  const { card, media, way } = asked
  root.render(
    way === 'hover' ? (
      <HoverCard card={card} media={media} />
    ) : (
      <MenuCard card={card} media={media} sheet={way === 'sheet'} onClose={close} />
    ),
  )
  const { signal } = shown.life
  document.addEventListener('astro:before-preparation', close, { signal })
  if (way === 'hover') closeWhenDone(shown)
}

function close(): void {
  if (!shown) return
  const { host, root, life, card, way } = shown
  const inside = host.contains(document.activeElement)
  shown = null
  life.abort()
  $previewed.set(null)
  if (way === 'hover' && host.isConnected && !isCalm()) fade(host)
  root.unmount()
  host.remove()
  if (inside && card.isConnected) card.focus({ preventScroll: true })
}

/** What is seen of it goes a moment later than what it does. */
function fade(host: HTMLElement): void {
  const ghost = host.firstElementChild?.cloneNode(true)
  if (!(ghost instanceof HTMLElement)) return
  ghost.inert = true
  ghost.removeAttribute('role')
  ghost.ariaHidden = 'true'
  ghost.style.animation = 'none'
  ghost.style.pointerEvents = 'none'
  document.body.append(ghost)
  const gone = ghost.animate({ opacity: 0, scale: 0.92 }, { duration: FADE_MS, easing: 'ease-in' })
  gone.onfinish = () => ghost.remove()
}

function isCalm(): boolean {
  const { lite, motion } = document.documentElement.dataset
  return matchMedia('(prefers-reduced-motion: reduce)').matches || lite !== undefined || motion !== undefined
}

const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta']

/** What a pointer opened: closes when that leaves, and with whatever else is done than using it. */
function closeWhenDone({ card, host, life: { signal } }: Shown): void {
  let leaving: ReturnType<typeof setTimeout> | undefined
  const isIn = (target: EventTarget | null, ...places: HTMLElement[]) =>
    target instanceof Node && places.some((one) => one.contains(target))
  const over = ({ target }: Event) => {
    clearTimeout(leaving)
    leaving = isIn(target, host, card) ? undefined : setTimeout(close, LEFT_MS)
  }
  const end = () => {
    park()
    close()
  }
  const press = ({ target }: Event) => {
    if (!isIn(target, host)) end()
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') event.preventDefault()
    else if (isIn(document.activeElement, host) || MODIFIERS.includes(event.key)) return
    end()
  }
  signal.addEventListener('abort', () => clearTimeout(leaving))
  document.addEventListener('pointerover', over, { signal })
  document.documentElement.addEventListener('pointerleave', over, { signal })
  document.addEventListener('pointerdown', press, { signal, capture: true })
  document.addEventListener('scroll', end, { signal, capture: true, passive: true })
  addEventListener('resize', end, { signal })
  addEventListener('blur', end, { signal })
  addEventListener('keydown', key, { signal, capture: true })
}
