/**
 * The swap of pages without work that nobody sees. Astro takes every attribute off the page's root and puts the next
 * page's on: language and direction reach every element, so that a browser styles the whole old page once more before it
 * goes. Here only what differs is touched.
 */
import {
  swapFunctions,
  type TransitionBeforePreparationEvent,
  type TransitionBeforeSwapEvent,
} from 'astro:transitions/client'
import { painted } from '../lib/painted.ts'

/**
 * A press shows (app.css) before the page that it leads to is put together. It showed while it was held; a link that
 * were as before in between would be painted twice.
 */
let leaving = false
const release = () => {
  for (const link of document.querySelectorAll('[data-going]')) link.removeAttribute('data-going')
}
document.addEventListener(
  'click',
  ({ target }) => {
    if (target instanceof Element) target.closest('a[href]')?.setAttribute('data-going', '')
    setTimeout(() => leaving || release())
  },
  { capture: true },
)
document.addEventListener('astro:before-preparation', (event) => {
  const before = event as TransitionBeforePreparationEvent
  const { loader } = before
  leaving = true
  before.loader = async () => {
    await Promise.all([painted(), loader()])
  }
})
document.addEventListener('astro:after-swap', () => {
  leaving = false
  release()
})

document.addEventListener('astro:before-swap', (event) => {
  const before = event as TransitionBeforeSwapEvent
  before.swap = () => swap(before.newDocument)
})

function swap(next: Document): void {
  leaveLater()
  leaveFocus()
  swapFunctions.deselectScripts(next)
  takeRoot(next.documentElement)
  takeHead(next.head)
  const restoreFocus = swapFunctions.saveFocus()
  swapFunctions.swapBodyElement(next.body, document.body)
  restoreFocus()
}

/**
 * Islands that go are taken apart once the next page is drawn: nobody sees them any more, and it is the longest part of a
 * swap. The player's ends at once, since what it gives back (media keys, the picture) may be the next one's.
 */
function leaveLater(): void {
  for (const island of document.querySelectorAll('main astro-island')) {
    if (island.closest('.theatre')) continue
    const wait = (event: Event) => {
      event.stopImmediatePropagation()
      void painted().then(() => island.dispatchEvent(new CustomEvent('astro:unmount')))
    }
    island.addEventListener('astro:unmount', wait, { capture: true, once: true })
  }
}

/** What goes while it has the focus has the browser style everything at that moment, half of it for a page that is gone. */
function leaveFocus(): void {
  const { activeElement: active } = document
  if (active instanceof HTMLElement && active.closest('main')) active.blur()
}

/** Theme and comfort (`data-…`) are the device's, not the page's: boot.js looks after them. */
function takeRoot(next: Element): void {
  const root = document.documentElement
  for (const { name } of [...root.attributes])
    if (!name.startsWith('data-') && !next.hasAttribute(name)) root.removeAttribute(name)
  for (const { name, value } of next.attributes)
    if (!name.startsWith('data-') && root.getAttribute(name) !== value) root.setAttribute(name, value)
}

/**
 * What both pages say stays: taken out and put back, an icon is drawn anew and a style sheet is matched against everything.
 * So does code that was fetched ahead: there is no end to taking that out.
 */
function takeHead(next: HTMLHeadElement): void {
  const coming = [...next.children]
  for (const here of document.head.querySelectorAll(':scope > :not(link[rel=modulepreload])')) {
    const same = coming.findIndex((one) => staysFor(here, one))
    if (same >= 0) coming.splice(same, 1)
    else here.remove()
  }
  document.head.append(...coming)
}

const PERSIST = 'data-astro-transition-persist'
function staysFor(here: Element, coming: Element): boolean {
  const persisted = here.getAttribute(PERSIST)
  if (persisted !== null) return coming.getAttribute(PERSIST) === persisted
  if (here.matches('link[rel=stylesheet]') && coming.matches('link[rel=stylesheet]'))
    return here.getAttribute('href') === coming.getAttribute('href')
  return here.isEqualNode(coming)
}
