/**
 * Covers the page with the name and the picture of the title that a clicked card opens. They appear before the page
 * swap, which takes longer than a frame on slow devices. The page swap removes the cover together with the old page.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { NEXT_PAGE_EVENT, type NextPageEvent } from '../lib/next-page-event.ts'

let uncoverPage = () => {}
/* After Back, the browser may restore a page that is still covered, if the next page was opened as a new document. */
addEventListener('pageshow', ({ persisted }) => persisted && uncoverPage())

/**
 * Covers the current page with the name and the picture of the title. The clicked card adds the name and the picture to
 * the new document when the card receives NEXT_PAGE_EVENT. The cover is a copy of the element of the new document that
 * contains them.
 */
export function coverWithNextPage({ to, newDocument }: TransitionBeforePreparationEvent): void {
  document.dispatchEvent(
    new CustomEvent(NEXT_PAGE_EVENT, { detail: { to, newDocument } }) satisfies NextPageEvent,
  )
  const hero = newDocument.querySelector('article > div > [data-early-hero], article > [data-early-hero]')
  if (hero?.querySelector('h1:not([hidden])')) coverPage(hero)
}

function coverPage(hero: Element): void {
  const cover = document.createElement('div')
  cover.className = 'pointer-events-none fixed inset-0 z-20 overflow-hidden bg-ground'
  cover.ariaHidden = 'true'
  const article = document.createElement('article')
  article.append(document.importNode(hero, true))
  cover.append(article)
  const restoreRendering = skipRendering(document.querySelector('main'))
  document.body.append(cover)
  uncoverPage = () => {
    restoreRendering()
    cover.remove()
  }
}

/**
 * Makes the browser skip the rendering of an element behind the cover, because painting the many layers of the element
 * takes longer than painting the cover. The element keeps its size, so the scroll position does not change. Returns the
 * function that renders the element again.
 */
function skipRendering(element: HTMLElement | null): () => void {
  if (!element) return () => {}
  const { offsetWidth, offsetHeight, style } = element
  style.containIntrinsicSize = `${offsetWidth}px ${offsetHeight}px`
  style.contentVisibility = 'hidden'
  return () => {
    style.removeProperty('contain-intrinsic-size')
    style.removeProperty('content-visibility')
  }
}
