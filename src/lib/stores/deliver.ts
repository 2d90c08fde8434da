/** Writes: sent, or kept for later when the network is off. The code that keeps them is fetched after the first screen. */
import type { Write } from '../client/queue.ts'

type Outbox = typeof import('./outbox.ts')
let outbox: Outbox | undefined
let coming: Promise<Outbox> | undefined

function load(): Promise<Outbox> {
  coming ??= import('./outbox.ts').then((found) => {
    outbox = found
    return found
  })
  coming.catch(() => {
    coming = undefined
  })
  return coming
}

const AFTER_MS = 2_500
let begun = false

/** Looks for what waits: at once where something does or the network is off, else after the first screen. */
export function startOutbox(): void {
  if (begun) return
  begun = true
  const soon =
    navigator.onLine === false || Object.keys(localStorage).some((key) => key.startsWith('marquee-waiting'))
  setTimeout(
    () =>
      void load()
        .then((found) => found.start())
        .catch(() => {}),
    soon ? 0 : AFTER_MS,
  )
}

/**
 * The server's answer, or undefined when the write waits. Throws `ApiError` when the server refuses. `leaving`: the page
 * is about to go, so the write is kept first and sent then.
 */
export async function deliver(write: Write, leaving = false): Promise<unknown> {
  /* Once it is here, nothing may come between: a page that goes runs no more than this turn. */
  return (outbox ?? (await load())).deliver(write, leaving)
}

/** Takes back what waits (queue.ts); false when it was sent. */
export async function takeBack(write: Write): Promise<boolean> {
  return (await load()).takeBack(write)
}
