import { describe, expect, test } from 'vitest'
import {
  loadSearchVocabulary,
  rebuildSearchIndex,
  removeSearchDocs,
  type SearchDb,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import { cast, databases, doc, filled, find } from './support.ts'

describe.each(databases)('the index on %s', (_, make) => {
  test('a changed document is found under its new names only', async () => {
    const db = await make()
    await upsertSearchDocs(db, [doc('Old Name', { id: 1, popularity: 5 })])
    await upsertSearchDocs(db, [{ ...doc('Brand Fresh', { id: 1, popularity: 900 }), media_id: 'one' }])
    expect(await find(db, 'old name')).toEqual([])
    expect(await find(db, 'oldname')).toEqual([])
    expect(await find(db, 'brand fresh')).toEqual(['one'])
    expect(await find(db, 'brnad fersh')).toEqual(['one'])
  })

  test('words stored after the first search are known to the next misspelling', async () => {
    const db = await filled(make)
    expect(await find(db, 'zorbulon')).toEqual([])
    await upsertSearchDocs(db, [doc('Zorbulax')])
    expect(await find(db, 'zorbulxa')).toEqual(['Zorbulax'])
  })

  test('the words can be read ahead, and many first searches at once share one reading', async () => {
    const db = await filled(make)
    const answers = await Promise.all([
      loadSearchVocabulary(db),
      ...Array.from({ length: 8 }, () => find(db, 'inseption')),
    ])
    for (const hits of answers.slice(1)) expect(hits).toEqual(['Inception'])
  })

  test('removed and hidden documents are gone', async () => {
    const db = await make()
    await upsertSearchDocs(db, [
      doc('First Title', { id: 1 }),
      doc('Second Title', { id: 2 }),
      doc('Third Title', { id: 3 }),
    ])
    await removeSearchDocs(db, [1])
    await upsertSearchDocs(db, [{ ...doc('Second Title', { id: 2 }), visible: false }])
    expect(await find(db, 'title')).toEqual(['Third Title'])
  })

  test('a title that stops being safe leaves the kids index at once', async () => {
    const db = await make()
    await upsertSearchDocs(db, [doc('Puppy Days', { id: 1, kids: true })])
    expect(await find(db, 'puppy', { scope: { kids: true } })).toEqual(['Puppy Days'])
    await upsertSearchDocs(db, [doc('Puppy Days', { id: 1, kids: false })])
    expect(await find(db, 'puppy', { scope: { kids: true } })).toEqual([])
    expect(await find(db, 'pupyp', { scope: { kids: true } })).toEqual([])
  })

  test('a batch is all or nothing', async () => {
    const db = await make()
    await expect(upsertSearchDocs(db, [doc('Good One'), doc('Bad One', { id: -1 })])).rejects.toThrow(
      RangeError,
    )
    expect(await find(db, 'good one')).toEqual([])
  })

  test('a rebuild replaces everything, keeps what is written meanwhile, and searches go on', async () => {
    const db = await filled(make)
    async function* docs() {
      yield doc('Rebuilt One', { id: 70_001 })
      expect(await find(db, 'inception')).toEqual(['Inception'])
      await upsertSearchDocs(db, [doc('Written Meanwhile', { id: 70_002 })])
      yield doc('Stale Name', { id: 70_002 })
      for (const one of cast().slice(0, 5)) yield { ...one, doc_id: one.doc_id + 100_000 }
    }
    expect(await rebuildSearchIndex(db, docs())).toBe(7)
    expect(await find(db, 'rebuilt')).toEqual(['Rebuilt One'])
    expect(await find(db, 'meanwhile')).toEqual(['Written Meanwhile'])
    expect(await find(db, 'stale')).toEqual([])
    expect(await find(db, 'police academy')).toEqual([])
    expect(await find(db, 'inseption')).toEqual(['Inception'])
  })

  test('a rebuild that fails leaves the old index answering', async () => {
    const db = await filled(make)
    const broken = (function* () {
      yield doc('Half Way')
      throw new Error('the source went away')
    })()
    await expect(rebuildSearchIndex(db, broken)).rejects.toThrow('went away')
    expect(await find(db, 'inception')).toEqual(['Inception'])
    expect(await find(db, 'half way')).toEqual([])
    expect(await rebuildSearchIndex(db, [doc('Second Try')])).toBeGreaterThan(0)
    expect(await find(db, 'second try')).toEqual(['Second Try'])
  })

  test('both databases answer alike', async () => {
    const [one, two] = (await Promise.all(databases.map(([, open]) => filled(open)))) as [SearchDb, SearchDb]
    for (const q of ['heat', 'matrx', 'tom', 'th', 'انسبشن', 'rocky ii', '%', 'c++', 'police acad']) {
      expect(await find(one, q)).toEqual(await find(two, q))
    }
  })
})
