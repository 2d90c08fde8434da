/** Writes that wait for the network: order, one word per thing, refusals, and two tabs that send each of them once. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Fate,
  fateOf,
  markTried,
  put,
  sendAll,
  takeBack,
  type Waiting,
  type Write,
  waitingOf,
} from '../../src/lib/client/queue.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'

class Memory implements Storage {
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

const ALEX = { account: 'a1', profile: 'p1' }
const film = { type: 'movie', id: '1' } as const
const other = { type: 'movie', id: '2' } as const
const list = (title: typeof film | typeof other, in_watchlist: boolean, state?: 'watching'): Write => ({
  kind: 'list',
  title,
  body: { in_watchlist, ...(state && { state }) },
})
const progress = (title: typeof film | typeof other, seconds: number, minute: number): Write => ({
  kind: 'progress',
  title,
  place: {},
  progress: seconds,
  duration: 6_000,
  at: `2026-01-01T20:${String(minute).padStart(2, '0')}:00.000Z`,
})

let storage: Memory
beforeEach(() => {
  storage = new Memory()
})
const kinds = () => waitingOf(storage, ALEX).map(({ kind }) => kind)

describe('what is kept', () => {
  test('in the order it was made, over a reload', () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, { kind: 'feedback', title: other, feedback: 'liked' })
    put(storage, ALEX, progress(film, 100, 1))
    expect(kinds()).toEqual(['list', 'feedback', 'progress'])
  })

  test('successive states of one title are one write with the last word', () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, list(other, true))
    put(storage, ALEX, list(film, true, 'watching'))
    expect(waitingOf(storage, ALEX)).toMatchObject([
      { title: other },
      { title: film, body: { in_watchlist: true, state: 'watching' } },
    ])
    put(storage, ALEX, list(film, false))
    expect(waitingOf(storage, ALEX)[1]).toMatchObject({ body: { in_watchlist: false } })
    expect(JSON.stringify(waitingOf(storage, ALEX)[1])).not.toContain('watching')
  })

  test('a place in a film is the latest by its own clock, however late it was kept', () => {
    put(storage, ALEX, progress(film, 900, 9))
    put(storage, ALEX, progress(film, 300, 3))
    expect(waitingOf(storage, ALEX)).toMatchObject([{ progress: 900 }])
  })

  test('a reset takes the places before it along, and none after it', () => {
    put(storage, ALEX, progress(film, 900, 9))
    put(storage, ALEX, progress(other, 50, 9))
    put(storage, ALEX, { kind: 'reset', title: film })
    put(storage, ALEX, progress(film, 10, 12))
    expect(waitingOf(storage, ALEX)).toMatchObject([
      { kind: 'progress', title: other },
      { kind: 'reset', title: film },
      { kind: 'progress', progress: 10 },
    ])
    put(storage, ALEX, { kind: 'clear' })
    expect(kinds()).toEqual(['clear'])
  })

  test('a removal is taken back with all that it took along, over a reload', () => {
    put(storage, ALEX, progress(film, 900, 9))
    put(storage, ALEX, progress(other, 50, 9))
    const before = waitingOf(storage, ALEX)
    const reset: Write = { kind: 'reset', title: film }
    put(storage, ALEX, reset)
    put(storage, ALEX, { kind: 'clear' })
    expect(kinds()).toEqual(['clear'])
    expect(takeBack(storage, ALEX, { kind: 'clear' })).toBe(true)
    expect(kinds()).toEqual(['progress', 'reset'])
    expect(takeBack(storage, ALEX, reset)).toBe(true)
    expect(waitingOf(storage, ALEX)).toEqual(before)
    expect(takeBack(storage, ALEX, reset)).toBe(false)
  })

  test('what was watched after a removal stays as it is when that is taken back', () => {
    put(storage, ALEX, progress(film, 900, 9))
    const reset: Write = { kind: 'reset', title: film }
    put(storage, ALEX, reset)
    put(storage, ALEX, progress(film, 10, 12))
    takeBack(storage, ALEX, reset)
    expect(waitingOf(storage, ALEX)).toMatchObject([{ kind: 'progress', progress: 10 }])
  })

  test('a removal that the server may have heard of is sent again, and undone right after it', async () => {
    const reset: Write = { kind: 'reset', title: film }
    const kept = put(storage, ALEX, reset)
    if (kept) markTried(storage, kept)
    put(storage, ALEX, { kind: 'reset', title: other })
    expect(takeBack(storage, ALEX, reset)).toBe(true)
    expect(kinds()).toEqual(['reset', 'undo', 'reset'])
    /* Reset once more: the older Undo must not bring back what goes now. */
    put(storage, ALEX, reset)
    expect(kinds()).toEqual(['reset', 'reset'])
    put(storage, ALEX, { kind: 'clear' }, true)
    takeBack(storage, ALEX, { kind: 'clear' })
    const sent: string[] = []
    await sendAll(storage, ALEX, async ({ kind }) => {
      sent.push(kind)
      return 'sent'
    })
    expect(sent).toEqual(['reset', 'reset', 'clear', 'undo'])
  })

  test('changes of several titles wait each for itself, among those of single ones', () => {
    const several = (id: string, in_watchlist: boolean): Write => ({
      kind: 'several',
      id,
      entries: [film, other].map((one) => ({ type: one.type, media_id: one.id, in_watchlist })),
    })
    put(storage, ALEX, several('a', false))
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, several('b', false))
    expect(kinds()).toEqual(['several', 'list', 'several'])
    expect(takeBack(storage, ALEX, several('b', false))).toBe(true)
    expect(kinds()).toEqual(['several', 'list'])
    const kept = waitingOf(storage, ALEX)[0]
    if (kept) markTried(storage, kept)
    expect(takeBack(storage, ALEX, several('a', false))).toBe(false)
    expect(kinds()).toEqual(['several', 'list'])
  })

  test('preferences are gathered', () => {
    put(storage, ALEX, { kind: 'profile', preferences: { autoplay_next: false } })
    put(storage, ALEX, { kind: 'profile', preferences: { language: 'fr' } })
    expect(waitingOf(storage, ALEX)).toMatchObject([
      { preferences: { autoplay_next: false, language: 'fr' } },
    ])
  })

  test('another account or profile sees nothing of it', () => {
    put(storage, ALEX, list(film, true))
    expect(waitingOf(storage, { account: 'a2', profile: 'p1' })).toEqual([])
    expect(waitingOf(storage, { account: 'a1', profile: 'p2' })).toEqual([])
  })

  test('of a title only what a poster shows', () => {
    const details = { ...film, slug: 'film', title: 'Film', overview: 'long', cast: [{ name: 'x' }] }
    put(storage, ALEX, { ...list(film, true), card: details } as unknown as Write & { card: MediaCard })
    const [kept] = waitingOf(storage, ALEX)
    expect(kept).toMatchObject({ card: { slug: 'film', title: 'Film' } })
    expect(JSON.stringify(kept)).not.toContain('overview')
  })

  test('it is bounded, and a full storage is said', () => {
    const many = Array.from({ length: 500 }, (_, id) =>
      put(storage, ALEX, list({ ...film, id: `${id}` } as never, true)),
    )
    expect(many.every(Boolean)).toBe(true)
    expect(put(storage, ALEX, list({ ...film, id: 'more' } as never, true))).toBeNull()
    expect(put(storage, ALEX, list({ ...film, id: '7' } as never, false))).not.toBeNull()
    storage.full = true
    expect(put(storage, ALEX, list({ ...film, id: '8' } as never, false))).toBeNull()
  })
})

describe('sending', () => {
  const sender = (fates: Partial<Record<Write['kind'], Fate>> = {}) => {
    const sent: Waiting[] = []
    const send = async (write: Waiting) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      sent.push(write)
      return fates[write.kind] ?? 'sent'
    }
    return { sent, send }
  }

  test('one after the other, until nothing waits', async () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, progress(film, 10, 1))
    const { sent, send } = sender()
    expect(await sendAll(storage, ALEX, send)).toBe('done')
    expect(sent.map(({ kind }) => kind)).toEqual(['list', 'progress'])
    expect(kinds()).toEqual([])
  })

  test('what is refused for good is dropped, and the rest goes on', async () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, { kind: 'feedback', title: film, feedback: null })
    const { sent, send } = sender({ list: 'refused' })
    expect(await sendAll(storage, ALEX, send)).toBe('done')
    expect(sent).toHaveLength(2)
    expect(kinds()).toEqual([])
  })

  test('a server that cannot be asked leaves all that follows in its order', async () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, { kind: 'feedback', title: film, feedback: 'liked' })
    put(storage, ALEX, progress(film, 10, 1))
    const { send } = sender({ feedback: 'later' })
    expect(await sendAll(storage, ALEX, send)).toBe('later')
    expect(kinds()).toEqual(['feedback', 'progress'])
  })

  test('a newer word that comes while the older one is sent is sent too', async () => {
    put(storage, ALEX, list(film, true))
    const bodies: unknown[] = []
    await sendAll(storage, ALEX, async (write) => {
      if (bodies.length === 0) put(storage, ALEX, list(film, false))
      bodies.push(write.kind === 'list' && write.body.in_watchlist)
      return 'sent'
    })
    expect(bodies).toEqual([true, false])
    expect(kinds()).toEqual([])
  })

  test('two tabs take turns: each write is sent once', async () => {
    for (let id = 0; id < 20; id++) put(storage, ALEX, list({ ...film, id: `${id}` } as never, true))
    const { sent, send } = sender()
    const tab = () => navigator.locks.request('test-outbox', () => sendAll(storage, ALEX, send))
    await Promise.all([tab(), tab(), tab()])
    expect(sent.map((write) => 'title' in write && write.title.id)).toEqual(
      Array.from({ length: 20 }, (_, id) => `${id}`),
    )
  })

  test.each<[number, string, Fate]>([
    [0, 'network_error', 'later'],
    [401, 'unauthorized', 'later'],
    [429, 'rate_limited', 'later'],
    [500, 'server_error', 'later'],
    [503, 'overloaded', 'later'],
    [403, 'profile_locked', 'later'],
    [403, 'forbidden', 'refused'],
    [404, 'not_found', 'refused'],
    [422, 'validation_error', 'refused'],
  ])('%i %s: %s', (status, type, fate) => {
    expect(fateOf({ status, type })).toBe(fate)
  })
})
