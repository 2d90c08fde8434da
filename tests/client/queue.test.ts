/** Writes that wait for the network: their order, one word per thing, and what is taken back. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  listPendingWrites,
  markUnconfirmed,
  revertPendingWrite,
  sendPendingWrites,
  storePendingWrite,
  type WriteRequest,
} from '../../src/lib/client/pending-writes.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import { ALEX, film, kinds, list, Memory, other, progress } from './writes.ts'

let storage: Memory
beforeEach(() => {
  storage = new Memory()
})

describe('what is kept', () => {
  test('in the order it was made, over a reload', () => {
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, { kind: 'feedback', title: other, feedback: 'liked' })
    storePendingWrite(storage, ALEX, progress(film, 100, 1))
    expect(kinds(storage)).toEqual(['list', 'feedback', 'progress'])
  })

  test('successive states of one title are one write with the last word', () => {
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, list(other, true))
    storePendingWrite(storage, ALEX, list(film, true, 'watching'))
    expect(listPendingWrites(storage, ALEX)).toMatchObject([
      { title: other },
      { title: film, body: { in_watchlist: true, state: 'watching' } },
    ])
    storePendingWrite(storage, ALEX, list(film, false))
    expect(listPendingWrites(storage, ALEX)[1]).toMatchObject({ body: { in_watchlist: false } })
    expect(JSON.stringify(listPendingWrites(storage, ALEX)[1])).not.toContain('watching')
  })

  test('a place in a film is the latest by its own clock, however late it was kept', () => {
    storePendingWrite(storage, ALEX, progress(film, 900, 9))
    storePendingWrite(storage, ALEX, progress(film, 300, 3))
    expect(listPendingWrites(storage, ALEX)).toMatchObject([{ progress: 900 }])
  })

  test('a reset takes the places before it along, and none after it', () => {
    storePendingWrite(storage, ALEX, progress(film, 900, 9))
    storePendingWrite(storage, ALEX, progress(other, 50, 9))
    storePendingWrite(storage, ALEX, { kind: 'reset', title: film })
    storePendingWrite(storage, ALEX, progress(film, 10, 12))
    expect(listPendingWrites(storage, ALEX)).toMatchObject([
      { kind: 'progress', title: other },
      { kind: 'reset', title: film },
      { kind: 'progress', progress: 10 },
    ])
    storePendingWrite(storage, ALEX, { kind: 'clear' })
    expect(kinds(storage)).toEqual(['clear'])
  })

  test('a removal is taken back with all that it took along, over a reload', () => {
    storePendingWrite(storage, ALEX, progress(film, 900, 9))
    storePendingWrite(storage, ALEX, progress(other, 50, 9))
    const before = listPendingWrites(storage, ALEX)
    const reset: WriteRequest = { kind: 'reset', title: film }
    storePendingWrite(storage, ALEX, reset)
    storePendingWrite(storage, ALEX, { kind: 'clear' })
    expect(kinds(storage)).toEqual(['clear'])
    expect(revertPendingWrite(storage, ALEX, { kind: 'clear' })).toBe(true)
    expect(kinds(storage)).toEqual(['progress', 'reset'])
    expect(revertPendingWrite(storage, ALEX, reset)).toBe(true)
    expect(listPendingWrites(storage, ALEX)).toEqual(before)
    expect(revertPendingWrite(storage, ALEX, reset)).toBe(false)
  })

  test('what was watched after a removal stays as it is when that is taken back', () => {
    storePendingWrite(storage, ALEX, progress(film, 900, 9))
    const reset: WriteRequest = { kind: 'reset', title: film }
    storePendingWrite(storage, ALEX, reset)
    storePendingWrite(storage, ALEX, progress(film, 10, 12))
    revertPendingWrite(storage, ALEX, reset)
    expect(listPendingWrites(storage, ALEX)).toMatchObject([{ kind: 'progress', progress: 10 }])
  })

  test('a removal that the server may have heard of is sent again, and undone right after it', async () => {
    const reset: WriteRequest = { kind: 'reset', title: film }
    const kept = storePendingWrite(storage, ALEX, reset)
    if (kept) markUnconfirmed(storage, kept)
    storePendingWrite(storage, ALEX, { kind: 'reset', title: other })
    expect(revertPendingWrite(storage, ALEX, reset)).toBe(true)
    expect(kinds(storage)).toEqual(['reset', 'undo', 'reset'])
    /* Reset once more: the older Undo must not bring back what goes now. */
    storePendingWrite(storage, ALEX, reset)
    expect(kinds(storage)).toEqual(['reset', 'reset'])
    storePendingWrite(storage, ALEX, { kind: 'clear' }, true)
    revertPendingWrite(storage, ALEX, { kind: 'clear' })
    const sent: string[] = []
    await sendPendingWrites(storage, ALEX, async ({ kind }) => {
      sent.push(kind)
      return 'sent'
    })
    expect(sent).toEqual(['reset', 'reset', 'clear', 'undo'])
  })

  test('changes of several titles wait each for itself, among those of single ones', () => {
    const several = (id: string, in_watchlist: boolean): WriteRequest => ({
      kind: 'several',
      id,
      entries: [film, other].map((one) => ({ type: one.type, media_id: one.id, in_watchlist })),
    })
    storePendingWrite(storage, ALEX, several('a', false))
    storePendingWrite(storage, ALEX, list(film, true))
    storePendingWrite(storage, ALEX, several('b', false))
    expect(kinds(storage)).toEqual(['several', 'list', 'several'])
    expect(revertPendingWrite(storage, ALEX, several('b', false))).toBe(true)
    expect(kinds(storage)).toEqual(['several', 'list'])
    const kept = listPendingWrites(storage, ALEX)[0]
    if (kept) markUnconfirmed(storage, kept)
    expect(revertPendingWrite(storage, ALEX, several('a', false))).toBe(false)
    expect(kinds(storage)).toEqual(['several', 'list'])
  })

  test('preferences are gathered', () => {
    storePendingWrite(storage, ALEX, { kind: 'profile', preferences: { autoplay_next: false } })
    storePendingWrite(storage, ALEX, { kind: 'profile', preferences: { language: 'fr' } })
    expect(listPendingWrites(storage, ALEX)).toMatchObject([
      { preferences: { autoplay_next: false, language: 'fr' } },
    ])
  })

  test('another account or profile sees nothing of it', () => {
    storePendingWrite(storage, ALEX, list(film, true))
    expect(listPendingWrites(storage, { account: 'a2', profile: 'p1' })).toEqual([])
    expect(listPendingWrites(storage, { account: 'a1', profile: 'p2' })).toEqual([])
  })

  test('of a title only what a poster shows', () => {
    const details = { ...film, slug: 'film', title: 'Film', overview: 'long', cast: [{ name: 'x' }] }
    storePendingWrite(storage, ALEX, { ...list(film, true), card: details } as unknown as WriteRequest & {
      card: MediaCard
    })
    const [kept] = listPendingWrites(storage, ALEX)
    expect(kept).toMatchObject({ card: { slug: 'film', title: 'Film' } })
    expect(JSON.stringify(kept)).not.toContain('overview')
  })

  test('it is bounded, and a full storage is said', () => {
    const many = Array.from({ length: 500 }, (_, id) =>
      storePendingWrite(storage, ALEX, list({ ...film, id: `${id}` } as never, true)),
    )
    expect(many.every(Boolean)).toBe(true)
    expect(storePendingWrite(storage, ALEX, list({ ...film, id: 'more' } as never, true))).toBeNull()
    expect(storePendingWrite(storage, ALEX, list({ ...film, id: '7' } as never, false))).not.toBeNull()
    storage.full = true
    expect(storePendingWrite(storage, ALEX, list({ ...film, id: '8' } as never, false))).toBeNull()
  })
})
