/** Writes that wait for the network (docs/offline.md). */
import { atom } from 'nanostores'
import type { Waiting } from '../client/queue.ts'

/** What waits for the acting profile, in order. */
export const $waiting = atom<readonly Waiting[]>([])
/** What waited and was sent just now, with the server's answer. */
export const $sent = atom<{ write: Waiting; reply: unknown } | null>(null)
