/** Client-side navigation. The router is loaded after the first render, because a first visit can do without it. */

type Router = typeof import('astro:transitions/client')

let routerImport: Promise<Router> | undefined

/** Loads Astro's router, which takes over the current history entry. */
export function loadRouter(): Promise<Router> {
  routerImport ??= importRouter()
  routerImport.catch(() => {
    routerImport = undefined
  })
  return routerImport
}

function importRouter(): Promise<Router> {
  // When it starts, the router scrolls to the position of the history entry, which may be older than the user's own scrolling.
  const { scrollX, scrollY } = globalThis
  if (history.state && scrollY > 0) history.replaceState({ ...history.state, scrollX, scrollY }, '')
  // The router sets this only on an entry that has no state yet.
  history.scrollRestoration = 'manual'
  return import('astro:transitions/client')
}

/** Opens a page of this site without loading a new document. */
export async function navigate(...args: Parameters<Router['navigate']>): Promise<void> {
  const router = await loadRouter()
  await router.navigate(...args)
}
