/**
 * Opens links to pages of this site with the router. Astro's component `<ClientRouter />` does that too, but
 * its script would load the router before the first render. Forms are not handled, because islands submit all
 * forms of the site.
 */
import { navigate } from '../lib/client-navigation.ts'

document.addEventListener('click', (event) => {
  const target = event.composedPath()[0]
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || event.defaultPrevented || shouldBrowserOpenLink(link, event)) return
  event.preventDefault()
  void navigate(link.href, {
    history: link.dataset['astroHistory'] === 'replace' ? 'replace' : 'auto',
    sourceElement: link,
  })
})

/**
 * Returns true if the browser has to handle the click. This is the case if the link leads to another site, is a
 * download or loads a new document (`data-astro-reload`). It is also the case if the click opens a tab or a window.
 */
function shouldBrowserOpenLink(link: HTMLAnchorElement, event: MouseEvent): boolean {
  return (
    link.origin !== location.origin ||
    link.hasAttribute('download') ||
    link.dataset['astroReload'] !== undefined ||
    (link.target !== '' && link.target !== '_self') ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    event.shiftKey
  )
}
