/** Writes that wait for the network: their order, one word per thing, and what is taken back. */
import { beforeEach, describe, expect, test } from 'vitest'
import { markTried, put, sendAll, takeBack, type Write, waitingOf } from '../../src/lib/client/queue.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import { ALEX, film, kinds, list, Memory, other, progress } from './writes.ts'

let storage: Memory
beforeEach(() => {
  storage = new Memory()
})

describe('what is kept', () => {
  test('in the order it was made, over a reload', () => {
    put(storage, ALEX, list(film, true))
    put(storage, ALEX, { kind: 'feedback', title: other, feedback: 'liked' })
    put(storage, ALEX, progress(film, 100, 1))
    expect(kinds(storage)).toEqual(['list', 'feedback', 'progress'])
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
    expect(kinds(storage)).toEqual(['clear'])
  })

  test('a removal is taken back with all that it took along, over a reload', () => {
    put(storage, ALEX, progress(film, 900, 9))
    put(storage, ALEX, progress(other, 50, 9))
    const before = waitingOf(storage, ALEX)
    const reset: Write = { kind: 'reset', title: film }
    put(storage, ALEX, reset)
    put(storage, ALEX, { kind: 'clear' })
    expect(kinds(storage)).toEqual(['clear'])
    expect(takeBack(storage, ALEX, { kind: 'clear' })).toBe(true)
    expect(kinds(storage)).toEqual(['progress', 'reset'])
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
    expect(kinds(storage)).toEqual(['reset', 'undo', 'reset'])
    /* Reset once more: the older Undo must not bring back what goes now. */
    put(storage, ALEX, reset)
    expect(kinds(storage)).toEqual(['reset', 'reset'])
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
    expect(kinds(storage)).toEqual(['several', 'list', 'several'])
    expect(takeBack(storage, ALEX, several('b', false))).toBe(true)
    expect(kinds(storage)).toEqual(['several', 'list'])
    const kept = waitingOf(storage, ALEX)[0]
    if (kept) markTried(storage, kept)
    expect(takeBack(storage, ALEX, several('a', false))).toBe(false)
    expect(kinds(storage)).toEqual(['several', 'list'])
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
