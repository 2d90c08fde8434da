import { describe, expect, test } from 'vitest'
import {
  loadSearchVocabulary,
  rebuildSearchIndex,
  removeSearchDocs,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import {
  createDoc,
  createFixtureDocs,
  findMediaIds,
  openEmptyIndex,
  openFilledIndex,
} from './index-fixture.ts'

describe('search index', () => {
  test('finds a changed document only by its new names', async () => {
    const db = openEmptyIndex()
    await upsertSearchDocs(db, [createDoc('Old Name', { id: 1, popularity: 5 })])
    await upsertSearchDocs(db, [{ ...createDoc('Brand Fresh', { id: 1, popularity: 900 }), media_id: 'one' }])
    expect(await findMediaIds(db, 'old name')).toEqual([])
    expect(await findMediaIds(db, 'oldname')).toEqual([])
    expect(await findMediaIds(db, 'brand fresh')).toEqual(['one'])
    expect(await findMediaIds(db, 'brnad fersh')).toEqual(['one'])
  })

  test('corrects misspellings of words that were added after the first search', async () => {
    const db = await openFilledIndex()
    expect(await findMediaIds(db, 'zorbulon')).toEqual([])
    await upsertSearchDocs(db, [createDoc('Zorbulax')])
    expect(await findMediaIds(db, 'zorbulxa')).toEqual(['Zorbulax'])
  })

  test('finds all words that begin with a long prefix, including words that are added later', async () => {
    const db = openEmptyIndex()
    const wordEndings = Array.from(
      { length: 130 },
      (_, index) => `${String.fromCharCode(97 + (index % 26))}${'xyzvw'[index % 5]}`,
    )
    const names = [...new Set(wordEndings)].map((ending) => `Wonderland${ending}`)
    const firstBatchNames = names.slice(0, 60)
    await upsertSearchDocs(
      db,
      firstBatchNames.map((name) => createDoc(name)),
    )
    expect((await findMediaIds(db, 'wonderland', { limit: 200 })).toSorted()).toEqual(
      firstBatchNames.toSorted(),
    )
    await upsertSearchDocs(
      db,
      names.slice(60).map((name) => createDoc(name)),
    )
    expect((await findMediaIds(db, 'wonderland', { limit: 200 })).toSorted()).toEqual(names.toSorted())
  })

  test('finds documents by an incomplete word of a topic', async () => {
    const db = openEmptyIndex()
    await upsertSearchDocs(db, [createDoc('First Title', { topics: ['A linguist meets visitors'] })])
    expect(await findMediaIds(db, 'lingui')).toEqual(['First Title'])
    await upsertSearchDocs(db, [createDoc('Second Title', { topics: ['Two linguistic experts'] })])
    expect((await findMediaIds(db, 'lingui')).toSorted()).toEqual(['First Title', 'Second Title'])
  })

  test('returns results for searches that arrive while the vocabulary is being loaded', async () => {
    const db = await openFilledIndex()
    const results = await Promise.all([
      loadSearchVocabulary(db),
      ...Array.from({ length: 8 }, () => findMediaIds(db, 'inseption')),
    ])
    for (const hits of results.slice(1)) expect(hits).toEqual(['Inception'])
  })

  test('does not find removed or hidden documents', async () => {
    const db = openEmptyIndex()
    await upsertSearchDocs(db, [
      createDoc('First Title', { id: 1 }),
      createDoc('Second Title', { id: 2 }),
      createDoc('Third Title', { id: 3 }),
    ])
    await removeSearchDocs(db, [1])
    await upsertSearchDocs(db, [{ ...createDoc('Second Title', { id: 2 }), visible: false }])
    expect(await findMediaIds(db, 'title')).toEqual(['Third Title'])
  })

  test('hides a title from kids searches as soon as it is no longer a kids title', async () => {
    const db = openEmptyIndex()
    await upsertSearchDocs(db, [createDoc('Puppy Days', { id: 1, kids: true })])
    expect(await findMediaIds(db, 'puppy', { scope: { kids: true } })).toEqual(['Puppy Days'])
    await upsertSearchDocs(db, [createDoc('Puppy Days', { id: 1, kids: false })])
    expect(await findMediaIds(db, 'puppy', { scope: { kids: true } })).toEqual([])
    expect(await findMediaIds(db, 'pupyp', { scope: { kids: true } })).toEqual([])
  })

  test('writes nothing when one document of a batch is invalid', async () => {
    const db = openEmptyIndex()
    await expect(
      upsertSearchDocs(db, [createDoc('Good One'), createDoc('Bad One', { id: -1 })]),
    ).rejects.toThrow(RangeError)
    expect(await findMediaIds(db, 'good one')).toEqual([])
  })

  test('returns search results during a rebuild, and keeps documents that are written during the rebuild', async () => {
    const db = await openFilledIndex()
    async function* streamDocs() {
      yield createDoc('Rebuilt One', { id: 70_001 })
      expect(await findMediaIds(db, 'inception')).toEqual(['Inception'])
      await upsertSearchDocs(db, [createDoc('Written Meanwhile', { id: 70_002 })])
      yield createDoc('Stale Name', { id: 70_002 })
      for (const fixtureDoc of createFixtureDocs().slice(0, 5))
        yield { ...fixtureDoc, doc_id: fixtureDoc.doc_id + 100_000 }
    }
    expect(await rebuildSearchIndex(db, streamDocs())).toBe(7)
    expect(await findMediaIds(db, 'rebuilt')).toEqual(['Rebuilt One'])
    expect(await findMediaIds(db, 'meanwhile')).toEqual(['Written Meanwhile'])
    expect(await findMediaIds(db, 'stale')).toEqual([])
    expect(await findMediaIds(db, 'police academy')).toEqual([])
    expect(await findMediaIds(db, 'inseption')).toEqual(['Inception'])
  })

  test('does not change the index when a rebuild fails', async () => {
    const db = await openFilledIndex()
    const failingDocs = (function* () {
      yield createDoc('Half Way')
      throw new Error('the source went away')
    })()
    await expect(rebuildSearchIndex(db, failingDocs)).rejects.toThrow('went away')
    expect(await findMediaIds(db, 'inception')).toEqual(['Inception'])
    expect(await findMediaIds(db, 'half way')).toEqual([])
    expect(await rebuildSearchIndex(db, [createDoc('Second Try')])).toBeGreaterThan(0)
    expect(await findMediaIds(db, 'second try')).toEqual(['Second Try'])
  })
})
