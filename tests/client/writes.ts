/** Writes of one profile, and a storage for them that can be full. */
import { listPendingWrites, type WriteRequest } from '../../src/lib/client/pending-writes.ts'

export class Memory implements Storage {
  readonly #values = new Map<string, string>()
  full = false
  get length() {
    return this.#values.size
  }
  key = (at: number) => [...this.#values.keys()][at] ?? null
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem(key: string, value: string) {
    if (this.full) throw new Error('QuotaExceededError')
    this.#values.set(key, value)
  }
  removeItem = (key: string) => void this.#values.delete(key)
  clear = () => this.#values.clear()
}

export const ALEX = { account: 'a1', profile: 'p1' }
export const film = { type: 'movie', id: '1' } as const
export const other = { type: 'movie', id: '2' } as const
export const list = (
  title: typeof film | typeof other,
  in_watchlist: boolean,
  state?: 'watching',
): WriteRequest => ({
  kind: 'list',
  title,
  body: { in_watchlist, ...(state && { state }) },
})
export const progress = (
  title: typeof film | typeof other,
  seconds: number,
  minute: number,
): WriteRequest => ({
  kind: 'progress',
  title,
  place: {},
  progress: seconds,
  duration: 6_000,
  at: `2026-01-01T20:${String(minute).padStart(2, '0')}:00.000Z`,
})

export const kinds = (storage: Storage) => listPendingWrites(storage, ALEX).map(({ kind }) => kind)
