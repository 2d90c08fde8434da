import type { MediaCard } from '../../lib/contract/media.ts'
import { NEXT_PAGE_EVENT, type NextPageEvent } from '../../lib/next-page-event.ts'
import { href, splitLocale } from '../../lib/routes.ts'
import { $openedCard } from '../../lib/stores/titles.ts'

/**
 * Passes the data of a card to the title page, which then shows the data from its first frame. Call this when the card
 * is clicked.
 */
export function openTitle(title: MediaCard): void {
  $openedCard.set(title)
  document.addEventListener(NEXT_PAGE_EVENT, showCardInNextPage, { once: true })
}

function showCardInNextPage(event: Event): void {
  const { to, newDocument } = (event as NextPageEvent).detail
  const openedTitle = $openedCard.get()
  if (!openedTitle) return
  const { locale } = splitLocale(to.pathname)
  const titlePath = href(openedTitle.type === 'movie' ? 'movie' : 'tvshow', locale, {
    slug: openedTitle.slug,
  })
  if (to.pathname === titlePath) globalThis.__boot?.showHero?.(openedTitle, newDocument)
}
