/** Whether the server answers: the browser's own word is not enough, a request may fail while it says "online". */

let away = false

export const isAway = () => away || globalThis.navigator?.onLine === false

/** Said of every request by `call`. */
export function reached(ok: boolean): void {
  if (ok !== away) return
  away = !ok
  globalThis.dispatchEvent?.(new Event('marquee-reach'))
}

/** Told when it may have changed. Returns how to stop. */
export function onReach(tell: () => void): () => void {
  const kinds = ['online', 'offline', 'marquee-reach']
  for (const kind of kinds) addEventListener(kind, tell)
  return () => {
    for (const kind of kinds) removeEventListener(kind, tell)
  }
}
