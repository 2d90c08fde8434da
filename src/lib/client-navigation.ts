/** Client-side navigation. The first render of a page does not need the router, so the router is loaded afterwards. */

type Router = typeof import('astro:transitions/client')

let routerImportPromise: Promise<Router> | undefined

/** Loads Astro's router once. After a failure, the next call tries again. */
export function loadRouter(): Promise<Router> {
  routerImportPromise ??= importRouter()
  routerImportPromise.catch(() => {
    routerImportPromise = undefined
  })
  return routerImportPromise
}

function importRouter(): Promise<Router> {
  // On start, the router scrolls to the position in the history entry. The user may have scrolled since that position
  // was stored, so the current position is stored first.
  const { scrollX, scrollY } = globalThis
  if (history.state && scrollY > 0) history.replaceState({ ...history.state, scrollX, scrollY }, '')
  // The router sets `scrollRestoration` only when the history entry has no state yet. This function sets it for entries
  // with a state too.
  history.scrollRestoration = 'manual'
  return import('astro:transitions/client')
}

/** Opens a page of this site without loading a new document. */
export async function navigate(...args: Parameters<Router['navigate']>): Promise<void> {
  const router = await loadRouter()
  await router.navigate(...args)
}
