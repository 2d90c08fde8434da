/**
 * Pages come at once: the shells that a viewer may open next are fetched while nothing else is to do, with the scripts they
 * need, and handed to the router in place of the network. A shell holds no data, so it is the same for every title.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { href, matchPage, type PageName, splitLocale } from '../lib/routes.ts'

const NEXT: PageName[] = [
  'movie',
  'tvshow',
  'home',
  'movies',
  'tvshows',
  'mylist',
  'search',
  'watch',
  'actor',
]
/** After the page has settled; the first screen's own requests come first. */
const WAIT_MS = 1_500

/** Shell file -> its HTML. */
const shells = new Map<string, string>()
/** Shell file -> the page that was made of it while there was time; a swap takes it to pieces. */
const pages = new Map<string, Document>()

document.addEventListener('astro:before-preparation', (event) => {
  const before = event as TransitionBeforePreparationEvent
  const shell = matchPage(before.to.pathname)?.shell ?? ''
  const html = before.formData ? undefined : shells.get(shell)
  if (html === undefined) return
  before.loader = async () => {
    before.newDocument = pages.get(shell) ?? parse(html)
    pages.delete(shell)
  }
})

function parse(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll('noscript')) element.remove()
  return page
}

let timer: ReturnType<typeof setTimeout>
const soon = () => {
  clearTimeout(timer)
  timer = setTimeout(() => idle(() => void fetchNext()), WAIT_MS)
}
document.addEventListener('astro:page-load', soon)
/* Scripts run after the first frame (boot.js): where the page had loaded by then, the router does not say so any more. */
if (document.readyState === 'complete') soon()

function idle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5_000 })
  else setTimeout(work, 500)
}

/** One after the other, so that they never stand in the way of what the viewer asked for. */
async function fetchNext(): Promise<void> {
  if (document.documentElement.dataset['lite'] !== undefined && navigator.connection?.saveData) return
  if (!matchPage(location.pathname) || ['/login/', '/signup/'].includes(splitLocale(location.pathname).path))
    return
  const { locale } = splitLocale(location.pathname)
  for (const name of NEXT) {
    const address = href(name, locale, { slug: '_' })
    const shell = matchPage(address)?.shell ?? ''
    const kept = shells.get(shell)
    if (kept !== undefined) {
      if (!pages.has(shell)) pages.set(shell, parse(kept))
      continue
    }
    const answer = await fetch(address, { priority: 'low' }).catch(() => null)
    if (!answer?.ok) return
    const html = await answer.text()
    const page = parse(html)
    shells.set(shell, html)
    pages.set(shell, page)
    preload(page)
  }
}

/** Scripts that the shell lists for its own first load. */
function preload(page: Document): void {
  const { content } = page.querySelector<HTMLTemplateElement>('#modules') ?? page.createElement('template')
  /* A template has no address of its own: its links become whole ones here. */
  const links = document.importNode(content, true).querySelectorAll('link')
  const here = new Set([...document.head.querySelectorAll('link')].map(({ href: address }) => address))
  for (const link of links) {
    link.fetchPriority = 'low'
    if (!here.has(link.href)) document.head.append(link)
  }
}

declare global {
  interface Navigator {
    readonly connection?: { readonly saveData?: boolean }
  }
}
