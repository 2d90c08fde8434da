/**
 * Announces the title of a page that is known only after its data is loaded, such as the name of a movie. The router
 * announces each new page to screen readers, but at a time when the page still has the general title of its kind.
 */

/**
 * True from the load of a page until its own title has replaced the general title that the router announced. This
 * happens at most once per page.
 */
let shouldAnnounceTitle = false
document.addEventListener('astro:page-load', () => {
  shouldAnnounceTitle = true
})

new MutationObserver(() => {
  const announcer = document.querySelector('.astro-route-announcer')
  // While the announcer is empty, the router is about to announce the title.
  if (!shouldAnnounceTitle || !announcer?.textContent || announcer.textContent === document.title) return
  shouldAnnounceTitle = false
  announcer.textContent = document.title
}).observe(document.head, { childList: true, subtree: true })
