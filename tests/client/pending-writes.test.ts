/** Storage of pending writes: order, merging of successive writes, and reverting. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  listPendingWrites,
  markUnconfirmed,
  revertPendingWrite,
  storePendingWrite,
} from '../../src/lib/client/pending-writes.ts'
import { sendPendingWrites } from '../../src/lib/client/send-pending-writes.ts'
import type { WriteRequest } from '../../src/lib/client/write-request.ts'
import type { MediaCard } from '../../src/lib/contract/media.ts'
import {
  ALEX_OWNER,
  createProgressWrite,
  createWatchlistWrite,
  firstMovie,
  listPendingWriteKinds,
  MemoryStorage,
  secondMovie,
} from './pending-write-examples.ts'

let storage: MemoryStorage
beforeEach(() => {
  storage = new MemoryStorage()
})

describe('pending writes', () => {
  test('pending writes are listed from the storage in the order in which they were made', () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, { kind: 'feedback', title: secondMovie, feedback: 'liked' })
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 100, 1))
    expect(listPendingWriteKinds(storage)).toEqual(['list', 'feedback', 'progress'])
  })

  test('successive watchlist changes of one title are merged into one write with the latest values', () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(secondMovie, true))
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true, 'watching'))
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([
      { title: secondMovie },
      { title: firstMovie, body: { in_watchlist: true, state: 'watching' } },
    ])
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, false))
    expect(listPendingWrites(storage, ALEX_OWNER)[1]).toMatchObject({ body: { in_watchlist: false } })
    expect(JSON.stringify(listPendingWrites(storage, ALEX_OWNER)[1])).not.toContain('watching')
  })

  test('of two progress writes of a title, the write with the later timestamp is kept, even if it is stored first', () => {
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 900, 9))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 300, 3))
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([{ progress: 900 }])
  })

  test('a removal of progress (`reset`) replaces earlier pending progress of the title and keeps later progress', () => {
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 900, 9))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(secondMovie, 50, 9))
    storePendingWrite(storage, ALEX_OWNER, { kind: 'reset', title: firstMovie })
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 10, 12))
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([
      { kind: 'progress', title: secondMovie },
      { kind: 'reset', title: firstMovie },
      { kind: 'progress', progress: 10 },
    ])
    storePendingWrite(storage, ALEX_OWNER, { kind: 'clear' })
    expect(listPendingWriteKinds(storage)).toEqual(['clear'])
  })

  test('reverting a removal of progress restores the writes that the removal replaced', () => {
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 900, 9))
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(secondMovie, 50, 9))
    const originalWrites = listPendingWrites(storage, ALEX_OWNER)
    const resetWrite: WriteRequest = { kind: 'reset', title: firstMovie }
    storePendingWrite(storage, ALEX_OWNER, resetWrite)
    storePendingWrite(storage, ALEX_OWNER, { kind: 'clear' })
    expect(listPendingWriteKinds(storage)).toEqual(['clear'])
    expect(revertPendingWrite(storage, ALEX_OWNER, { kind: 'clear' })).toBe(true)
    expect(listPendingWriteKinds(storage)).toEqual(['progress', 'reset'])
    expect(revertPendingWrite(storage, ALEX_OWNER, resetWrite)).toBe(true)
    expect(listPendingWrites(storage, ALEX_OWNER)).toEqual(originalWrites)
    expect(revertPendingWrite(storage, ALEX_OWNER, resetWrite)).toBe(false)
  })

  test('reverting a removal of progress keeps progress that was stored after the removal', () => {
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 900, 9))
    const resetWrite: WriteRequest = { kind: 'reset', title: firstMovie }
    storePendingWrite(storage, ALEX_OWNER, resetWrite)
    storePendingWrite(storage, ALEX_OWNER, createProgressWrite(firstMovie, 10, 12))
    revertPendingWrite(storage, ALEX_OWNER, resetWrite)
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([{ kind: 'progress', progress: 10 }])
  })

  test('reverting an unconfirmed removal of progress keeps the removal and adds an undo write after the removal', async () => {
    const resetWrite: WriteRequest = { kind: 'reset', title: firstMovie }
    const pendingWrite = storePendingWrite(storage, ALEX_OWNER, resetWrite)
    if (pendingWrite) markUnconfirmed(storage, pendingWrite)
    storePendingWrite(storage, ALEX_OWNER, { kind: 'reset', title: secondMovie })
    expect(revertPendingWrite(storage, ALEX_OWNER, resetWrite)).toBe(true)
    expect(listPendingWriteKinds(storage)).toEqual(['reset', 'undo', 'reset'])
    /*
     * A second reset of the first movie removes the undo write, which would restore progress that this reset removes.
     */
    storePendingWrite(storage, ALEX_OWNER, resetWrite)
    expect(listPendingWriteKinds(storage)).toEqual(['reset', 'reset'])
    storePendingWrite(storage, ALEX_OWNER, { kind: 'clear' }, { wasSent: true })
    revertPendingWrite(storage, ALEX_OWNER, { kind: 'clear' })
    const sentKinds: string[] = []
    await sendPendingWrites(storage, ALEX_OWNER, async ({ kind }) => {
      sentKinds.push(kind)
      return 'sent'
    })
    expect(sentKinds).toEqual(['reset', 'reset', 'clear', 'undo'])
  })

  test('bulk changes are not merged with each other or with changes of single titles', () => {
    const createBulkChange = (id: string, in_watchlist: boolean): WriteRequest => ({
      kind: 'several',
      id,
      entries: [firstMovie, secondMovie].map((title) => ({
        type: title.type,
        media_id: title.id,
        in_watchlist,
      })),
    })
    storePendingWrite(storage, ALEX_OWNER, createBulkChange('a', false))
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    storePendingWrite(storage, ALEX_OWNER, createBulkChange('b', false))
    expect(listPendingWriteKinds(storage)).toEqual(['several', 'list', 'several'])
    expect(revertPendingWrite(storage, ALEX_OWNER, createBulkChange('b', false))).toBe(true)
    expect(listPendingWriteKinds(storage)).toEqual(['several', 'list'])
    const pendingWrite = listPendingWrites(storage, ALEX_OWNER)[0]
    if (pendingWrite) markUnconfirmed(storage, pendingWrite)
    expect(revertPendingWrite(storage, ALEX_OWNER, createBulkChange('a', false))).toBe(false)
    expect(listPendingWriteKinds(storage)).toEqual(['several', 'list'])
  })

  test('each "mark as seen" is stored separately, and cannot be reverted once it may have reached the server', () => {
    const createMark = (id: string): WriteRequest => ({
      kind: 'mark',
      id,
      body: { key: id, scopes: [{ type: 'movie', media_id: '1', scope: 'title' }] },
    })
    storePendingWrite(storage, ALEX_OWNER, createMark('first'))
    storePendingWrite(storage, ALEX_OWNER, createMark('second'))
    expect(revertPendingWrite(storage, ALEX_OWNER, createMark('second'))).toBe(true)
    storePendingWrite(storage, ALEX_OWNER, createMark('third'), { wasSent: true })
    expect(revertPendingWrite(storage, ALEX_OWNER, createMark('third'))).toBe(false)
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([{ id: 'first' }, { id: 'third' }])
  })

  test('successive preference changes are merged into one write', () => {
    storePendingWrite(storage, ALEX_OWNER, { kind: 'profile', preferences: { autoplay_next: false } })
    storePendingWrite(storage, ALEX_OWNER, { kind: 'profile', preferences: { language: 'fr' } })
    expect(listPendingWrites(storage, ALEX_OWNER)).toMatchObject([
      { preferences: { autoplay_next: false, language: 'fr' } },
    ])
  })

  test('the pending writes of another account or profile are not listed', () => {
    storePendingWrite(storage, ALEX_OWNER, createWatchlistWrite(firstMovie, true))
    expect(listPendingWrites(storage, { accountId: 'a2', profileId: 'p1' })).toEqual([])
    expect(listPendingWrites(storage, { accountId: 'a1', profileId: 'p2' })).toEqual([])
  })

  test('a pending write stores only the card fields of its title', () => {
    const details = {
      ...firstMovie,
      slug: 'film',
      title: 'Film',
      title_lang: 'en',
      overview: 'long',
      cast: [{ name: 'x' }],
    }
    storePendingWrite(storage, ALEX_OWNER, {
      ...createWatchlistWrite(firstMovie, true),
      card: details,
    } as unknown as WriteRequest & { card: MediaCard })
    const [pendingWrite] = listPendingWrites(storage, ALEX_OWNER)
    expect(pendingWrite).toMatchObject({ card: { slug: 'film', title: 'Film', title_lang: 'en' } })
    expect(JSON.stringify(pendingWrite)).not.toContain('overview')
  })

  test('storing a write returns null when the limit of 500 writes or the storage quota is reached', () => {
    const pendingWrites = Array.from({ length: 500 }, (_, id) =>
      storePendingWrite(
        storage,
        ALEX_OWNER,
        createWatchlistWrite({ ...firstMovie, id: `${id}` } as never, true),
      ),
    )
    expect(pendingWrites.every(Boolean)).toBe(true)
    expect(
      storePendingWrite(
        storage,
        ALEX_OWNER,
        createWatchlistWrite({ ...firstMovie, id: 'more' } as never, true),
      ),
    ).toBeNull()
    expect(
      storePendingWrite(
        storage,
        ALEX_OWNER,
        createWatchlistWrite({ ...firstMovie, id: '7' } as never, false),
      ),
    ).not.toBeNull()
    storage.isFull = true
    expect(
      storePendingWrite(
        storage,
        ALEX_OWNER,
        createWatchlistWrite({ ...firstMovie, id: '8' } as never, false),
      ),
    ).toBeNull()
  })
})
