/**
 * Decides when the scripts and islands of a page run: after the static page is painted, or on the watch page after the
 * first video frame. Without this delay, scripts from the cache of the service worker would arrive immediately and
 * delay the first paint.
 */

/** Longest wait for a frame. A window that is covered by another window may paint none. */
const PAINT_TIMEOUT_MS = 1_000

/**
 * Makes islands wait for the first paint or video frame, also after client-side navigation. Returns the function that
 * loads the scripts of the page.
 */
export function delayScriptLoading(earlyPlayback: EarlyPlayback | null | undefined): () => void {
  let scriptPermission = earlyPlayback?.scriptPermission ?? waitForPaint()
  let stylesPromise: Promise<unknown> | undefined
  // On client-side navigation, the style sheet is added immediately, and islands again wait for the first paint.
  document.addEventListener('astro:before-swap', (event) => {
    const { newDocument } = event as Event & { newDocument: Document }
    scriptPermission = waitForPaint()
    newDocument.head.append(...(findTemplate('styles', newDocument)?.childNodes ?? []))
    removeEarlyVideoStyles(newDocument)
  })
  interceptIslandLoader((load) => scriptPermission.then(() => stylesPromise).then(load))
  return () => {
    const modulesTemplate = findTemplate('modules', document)
    if (!modulesTemplate) return
    stylesPromise = loadDeferredStyles()
    // The preload links are needless if the service worker has cached the scripts. On the watch page, the
    // video needs the bandwidth.
    if (!earlyPlayback && !navigator.serviceWorker?.controller)
      document.head.append(...modulesTemplate.querySelectorAll('link'))
    void scriptPermission.then(() => document.head.append(modulesTemplate))
  }
}

function waitForPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    const waitForFrame = () => {
      setTimeout(resolve, document.hidden ? 0 : PAINT_TIMEOUT_MS)
      requestAnimationFrame(() => setTimeout(resolve))
    }
    if (document.readyState === 'loading')
      document.addEventListener('readystatechange', waitForFrame, { once: true })
    else waitForFrame()
  })
}

const findTemplate = (id: string, page: Document) =>
  (page.getElementById(id) as HTMLTemplateElement | null)?.content

/**
 * Removes the styles of the video, which the watch page contains until its style sheet is loaded (EarlyPlayback.astro).
 */
const removeEarlyVideoStyles = (page: Document) => page.querySelector('style[data-first]')?.remove()

/** Loads the style sheet that the build moved into the template `#styles` of the watch page. */
async function loadDeferredStyles(): Promise<void> {
  const stylesTemplate = findTemplate('styles', document)
  const link = stylesTemplate?.firstChild as HTMLLinkElement | null | undefined
  if (stylesTemplate && link)
    await new Promise((resolve) => {
      link.onload = link.onerror = resolve
      document.head.append(stylesTemplate)
    })
  removeEarlyVideoStyles(document)
}

/**
 * Replaces the loader of `client:only` islands. Astro assigns its loader to `Astro.only` and reads it for
 * each island.
 */
function interceptIslandLoader(loadWhenAllowed: (load: () => Promise<unknown>) => Promise<unknown>): void {
  let loadIsland: IslandLoader | undefined
  window.Astro = {
    get only() {
      const load = loadIsland
      return load && ((...islandArguments: unknown[]) => loadWhenAllowed(() => load(...islandArguments)))
    },
    set only(loader) {
      loadIsland = loader
    },
  }
}
