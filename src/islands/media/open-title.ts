import type { TransitionBeforeSwapEvent } from 'astro:transitions/client'
import type { MediaCard } from '../../lib/contract/media.ts'
import { href, splitLocale } from '../../lib/routes.ts'
import { $opened } from '../../lib/stores/media.ts'

/** A card was clicked: its title's page shows what the card knew from its first frame on. */
export function openTitle(media: MediaCard): void {
  $opened.set(media)
  document.addEventListener('astro:before-swap', showFirst, { once: true })
}

function showFirst(event: Event): void {
  const { to, newDocument } = event as TransitionBeforeSwapEvent
  const card = $opened.get()
  if (!card) return
  const { locale } = splitLocale(to.pathname)
  const address = href(card.type === 'movie' ? 'movie' : 'tvshow', locale, { slug: card.slug })
  if (to.pathname === address) globalThis.__boot?.show?.(card, newDocument)
}
