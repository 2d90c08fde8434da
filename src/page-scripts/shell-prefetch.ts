/**
 * Prefetches the shells of pages that the user may open next, and their scripts, while the browser is idle. The router
 * uses a prefetched shell instead of a network response. A shell (static HTML of a page) contains no data, so all
 * titles share one shell.
 */
import type { TransitionBeforePreparationEvent } from 'astro:transitions/client'
import { href, matchPage, type PageName, splitLocale } from '../lib/routes.ts'
import { runWhenIdle } from './run-when-idle.ts'

const PREFETCHED_PAGES: PageName[] = [
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
/** Delay after the page load, so that the page's own requests come first. */
const START_DELAY_MS = 1_500

/** HTML of the prefetched pages by shell file. */
const htmlByShell = new Map<string, string>()
/** Parsed document by shell file. A swap uses up the document. The shell is then parsed again in idle time. */
const parsedPagesByShell = new Map<string, Document>()

document.addEventListener('astro:before-preparation', (event) => {
  const preparationEvent = event as TransitionBeforePreparationEvent
  const { loader } = preparationEvent
  preparationEvent.loader = async () => {
    // The URL is read when the loader runs, because another listener of the event may have replaced it
    // (stores/history-entries.ts).
    const shell = matchPage(preparationEvent.to.pathname)?.shell ?? ''
    const html = preparationEvent.formData ? undefined : htmlByShell.get(shell)
    if (html === undefined) return loader()
    preparationEvent.newDocument = parsedPagesByShell.get(shell) ?? parseShell(html)
    parsedPagesByShell.delete(shell)
  }
})

function parseShell(html: string): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll('noscript')) element.remove()
  return page
}

let prefetchTimer: ReturnType<typeof setTimeout>
const schedulePrefetch = () => {
  clearTimeout(prefetchTimer)
  prefetchTimer = setTimeout(() => runWhenIdle(() => void prefetchShells()), START_DELAY_MS)
}
document.addEventListener('astro:page-load', schedulePrefetch)
/*
 * If this script runs after the page has loaded (inline/script-loading.ts), the router does not send `astro:page-load`
 * for this page, so the prefetch is scheduled here.
 */
if (document.readyState === 'complete') schedulePrefetch()

/** Fetches the shells one after the other, so that they do not compete with the requests of the page. */
async function prefetchShells(): Promise<void> {
  if (document.documentElement.dataset['lite'] !== undefined && navigator.connection?.saveData) return
  if (!matchPage(location.pathname) || ['/login/', '/signup/'].includes(splitLocale(location.pathname).path))
    return
  const { locale } = splitLocale(location.pathname)
  for (const name of PREFETCHED_PAGES) {
    const url = href(name, locale, { slug: '_' })
    const shell = matchPage(url)?.shell ?? ''
    const cachedHtml = htmlByShell.get(shell)
    if (cachedHtml !== undefined) {
      if (!parsedPagesByShell.has(shell)) parsedPagesByShell.set(shell, parseShell(cachedHtml))
      continue
    }
    const response = await fetch(url, { priority: 'low' }).catch(() => null)
    if (!response?.ok) return
    const html = await response.text()
    const page = parseShell(html)
    htmlByShell.set(shell, html)
    parsedPagesByShell.set(shell, page)
    preloadScripts(page)
  }
}

/** Preloads the scripts that the shell lists in its template #modules. */
function preloadScripts(page: Document): void {
  const { content } = page.querySelector<HTMLTemplateElement>('#modules') ?? page.createElement('template')
  /* Relative URLs of links are resolved only outside the template, so the links are imported into the document. */
  const links = document.importNode(content, true).querySelectorAll('link')
  const loadedUrls = new Set([...document.head.querySelectorAll('link')].map(({ href }) => href))
  for (const link of links) {
    link.fetchPriority = 'low'
    if (!loadedUrls.has(link.href)) document.head.append(link)
  }
}
