/** Example pending writes of one profile, and an in-memory storage that can simulate an exceeded quota. */
import { listPendingWrites } from '../../src/lib/client/pending-writes.ts'
import type { WriteRequest } from '../../src/lib/client/write-request.ts'

export class MemoryStorage implements Storage {
  readonly #values = new Map<string, string>()
  isFull = false
  get length() {
    return this.#values.size
  }
  key = (index: number) => [...this.#values.keys()][index] ?? null
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem(key: string, value: string) {
    if (this.isFull) throw new Error('QuotaExceededError')
    this.#values.set(key, value)
  }
  removeItem = (key: string) => void this.#values.delete(key)
  clear = () => this.#values.clear()
}

export const ALEX_OWNER = { accountId: 'a1', profileId: 'p1' }
export const firstMovie = { type: 'movie', id: '1' } as const
export const secondMovie = { type: 'movie', id: '2' } as const
export const createWatchlistWrite = (
  title: typeof firstMovie | typeof secondMovie,
  in_watchlist: boolean,
  state?: 'watching',
): WriteRequest => ({
  kind: 'list',
  title,
  body: { in_watchlist, ...(state && { state }) },
})
export const createProgressWrite = (
  title: typeof firstMovie | typeof secondMovie,
  positionSeconds: number,
  recordedMinute: number,
): WriteRequest => ({
  kind: 'progress',
  title,
  place: {},
  progress: positionSeconds,
  duration: 6_000,
  at: `2026-01-01T20:${String(recordedMinute).padStart(2, '0')}:00.000Z`,
})

export const listPendingWriteKinds = (storage: Storage) =>
  listPendingWrites(storage, ALEX_OWNER).map(({ kind }) => kind)
