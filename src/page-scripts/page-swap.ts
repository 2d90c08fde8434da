/**
 * A faster page swap on client-side navigation. Astro's default swap removes all attributes of the root
 * element and sets them again. Since `lang` and `dir` affect every element, the browser then restyles the
 * whole old page. This swap changes only the attributes that differ.
 */
import {
  swapFunctions,
  type TransitionBeforePreparationEvent,
  type TransitionBeforeSwapEvent,
} from 'astro:transitions/client'
import { waitForPaint } from '../lib/wait-for-paint.ts'
import { coverWithNextPage } from './click-cover.ts'

/**
 * While this is true, the clicked link keeps its pressed style (`data-going` in app.css). Otherwise the link would be
 * painted in its normal style once between the release of the pointer and the swap.
 */
let isNavigating = false
const clearPressedLinks = () => {
  for (const link of document.querySelectorAll('[data-going]')) link.removeAttribute('data-going')
}
document.addEventListener(
  'click',
  ({ target }) => {
    if (target instanceof Element) target.closest('a[href]')?.setAttribute('data-going', '')
    setTimeout(() => isNavigating || clearPressedLinks())
  },
  { capture: true },
)
document.addEventListener('astro:before-preparation', (event) => {
  const preparationEvent = event as TransitionBeforePreparationEvent
  const { loader } = preparationEvent
  isNavigating = true
  preparationEvent.loader = async () => {
    const pendingLoad = loader()
    // `coverWithNextPage` draws the cover from the document of the next page. A prefetched document is available
    // immediately, so its cover is drawn before the next paint. Otherwise the cover is drawn when the document is
    // loaded.
    const isNextPagePrefetched = preparationEvent.newDocument !== document
    if (isNextPagePrefetched) coverWithNextPage(preparationEvent)
    await Promise.all([waitForPaint(), pendingLoad])
    if (!isNextPagePrefetched) coverWithNextPage(preparationEvent)
  }
})

document.addEventListener('astro:after-swap', () => {
  isNavigating = false
  clearPressedLinks()
})

document.addEventListener('astro:before-swap', (event) => {
  const swapEvent = event as TransitionBeforeSwapEvent
  swapEvent.swap = () => swapPages(swapEvent.newDocument)
})

function swapPages(newDocument: Document): void {
  deferUnmounts()
  blurFocusInMain()
  swapFunctions.deselectScripts(newDocument)
  swapRootAttributes(newDocument.documentElement)
  swapHead(newDocument.head)
  const restoreFocus = swapFunctions.saveFocus()
  swapFunctions.swapBodyElement(newDocument.body, document.body)
  restoreFocus()
}

/**
 * Unmounts the islands of the old page after the new page is painted, because unmounting is the longest part of a swap.
 * The player is unmounted immediately, because it holds resources that the next page may need (media keys,
 * picture-in-picture).
 */
function deferUnmounts(): void {
  for (const island of document.querySelectorAll('main astro-island')) {
    if (island.closest('.theatre')) continue
    const deferUnmount = (event: Event) => {
      event.stopImmediatePropagation()
      void waitForPaint().then(() => island.dispatchEvent(new CustomEvent('astro:unmount')))
    }
    island.addEventListener('astro:unmount', deferUnmount, { capture: true, once: true })
  }
}

/**
 * Removes the focus from the content before the swap. If the swap removed the focused element, the browser
 * would restyle the page during the swap.
 */
function blurFocusInMain(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.closest('main')) activeElement.blur()
}

/**
 * Makes the attributes of the root element equal to those of the new page. Keeps the `data-…` attributes, which
 * inline/display-settings.ts sets for the theme and the display preferences.
 */
function swapRootAttributes(newRoot: Element): void {
  const root = document.documentElement
  for (const { name } of [...root.attributes])
    if (!name.startsWith('data-') && !newRoot.hasAttribute(name)) root.removeAttribute(name)
  for (const { name, value } of newRoot.attributes)
    if (!name.startsWith('data-') && root.getAttribute(name) !== value) root.setAttribute(name, value)
}

/**
 * Keeps the elements that both pages have: inserting an icon or style sheet again would reload the icon and restyle the
 * page. Module preloads are also kept, because removing them has no benefit.
 */
function swapHead(newHead: HTMLHeadElement): void {
  const newElements = [...newHead.children]
  for (const oldElement of document.head.querySelectorAll(':scope > :not(link[rel=modulepreload])')) {
    const index = newElements.findIndex((newElement) => isSameElement(oldElement, newElement))
    if (index >= 0) newElements.splice(index, 1)
    else oldElement.remove()
  }
  document.head.append(...newElements)
}

const PERSIST_ATTRIBUTE = 'data-astro-transition-persist'
function isSameElement(oldElement: Element, newElement: Element): boolean {
  const persistName = oldElement.getAttribute(PERSIST_ATTRIBUTE)
  if (persistName !== null) return newElement.getAttribute(PERSIST_ATTRIBUTE) === persistName
  if (oldElement.matches('link[rel=stylesheet]') && newElement.matches('link[rel=stylesheet]'))
    return oldElement.getAttribute('href') === newElement.getAttribute('href')
  return oldElement.isEqualNode(newElement)
}
