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

document.addEventListener('astro:before-preparation', (event) => {
  const before = event as TransitionBeforePreparationEvent
  const html = before.formData ? undefined : shells.get(matchPage(before.to.pathname)?.shell ?? '')
  if (html === undefined) return
  before.loader = async () => {
    before.newDocument = new DOMParser().parseFromString(html, 'text/html')
    for (const element of before.newDocument.querySelectorAll('noscript')) element.remove()
  }
})

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
    if (shells.has(shell)) continue
    const answer = await fetch(address, { priority: 'low' }).catch(() => null)
    if (!answer?.ok) return
    const html = await answer.text()
    shells.set(shell, html)
    preload(html)
  }
}

/** Scripts that the shell lists for its own first load. */
function preload(html: string): void {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const { content } = page.querySelector<HTMLTemplateElement>('#modules') ?? page.createElement('template')
  for (const { href: address } of content.querySelectorAll<HTMLLinkElement>('link')) {
    if ([...document.head.querySelectorAll<HTMLLinkElement>('link')].some((one) => one.href === address))
      continue
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href: address })
    link.fetchPriority = 'low'
    document.head.append(link)
  }
}

declare global {
  interface Navigator {
    readonly connection?: { readonly saveData?: boolean }
  }
}
