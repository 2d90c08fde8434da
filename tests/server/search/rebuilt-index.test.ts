/**
 * Compares two search indexes of equal documents. A rebuild fills one index. Writes in batches fill the other index.
 * Both indexes must find the same documents.
 */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  readSearchIndexState,
  rebuildSearchIndex,
  removeSearchDocs,
  type SearchDb,
  searchIndex,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import { emptyIndexState, type SearchDoc, type SearchRequest } from '../../../server/search/types.ts'
import { createDoc, createFixtureDocs, findMediaIds, openEmptyIndex } from './index-fixture.ts'

const FIRST_WORDS = ['dark', 'darker', 'the', 'secret', 'river', 'house', 'النهر']
const SECOND_WORDS = ['water', 'winter', 'wind', 'star', 'starlight', 'night', 'صيف']
const QUERIES = [
  'd',
  'da',
  'dark',
  'darkness',
  'the w',
  'the wi',
  'secrt star',
  'river 12',
  'darker wnter',
  'starl',
  'night',
  'ن',
  'النهر ص',
  'tom hanks',
  'cast awy',
  'heat',
  'thriller 1999',
  'house of the night',
  'lighthouse keeper',
]

function createManyDocs(): SearchDoc[] {
  const docs = Array.from({ length: 1_200 }, (_, index) => {
    const words = [FIRST_WORDS[index % 7], SECOND_WORDS[(index * 3 + (index >> 4)) % 7], String(index % 40)]
    return createDoc(words.join(' '), {
      id: 20_000 + index,
      kind: index % 3 === 0 ? 'tv' : 'movie',
      kids: index % 5 === 0,
      popularity: (index * 7_919) % 5_000,
      year: 1990 + (index % 20),
      keywords: index % 4 === 0 ? ['lighthouse keeper'] : ['road trip'],
      facets: [{ kind: 'genre', value: index % 2 === 0 ? '53' : '35' }],
    })
  })
  const people = Array.from({ length: 400 }, (_, index) =>
    createDoc(`Darko Winter${String.fromCharCode(97 + (index % 26))}`, { id: 30_000 + index, kind: 'actor' }),
  )
  return [...createFixtureDocs(), ...docs, ...people]
}

const isMultipleOfSeven = (docId: number) => docId % 7 === 0
const SCOPES: [string, SearchRequest['scope']][] = [
  ['no limits', { kids: false }],
  ['the kids rule', { kids: true }],
  [
    'limits',
    {
      kids: false,
      visibility: {
        isTitleVisible: isMultipleOfSeven,
        selectVisiblePeople: async (ids) => new Set(ids.filter(isMultipleOfSeven)),
      },
    },
  ],
  [
    'limits and a known visibility of most people',
    {
      kids: false,
      visibility: {
        isTitleVisible: isMultipleOfSeven,
        isPersonVisible: (docId) => (docId % 5 === 0 ? undefined : isMultipleOfSeven(docId)),
        selectVisiblePeople: async (ids) => new Set(ids.filter(isMultipleOfSeven)),
      },
    },
  ],
]
const searchInScope = (db: SearchDb, query: string, scope: SearchRequest['scope']) =>
  searchIndex(db, { q: query, limit: 40, type: 'all', scope })

describe('rebuilt index', () => {
  describe.each(SCOPES)('for an audience with %s', (_scopeName, scope) => {
    const writtenResultsByQuery = new Map<string, unknown>()
    let rebuiltIndex: SearchDb
    let indexedDocs: SearchDoc[] = []

    beforeAll(async () => {
      indexedDocs = createManyDocs()
      const writtenIndex = openEmptyIndex()
      for (let startIndex = 0; startIndex < indexedDocs.length; startIndex += 200)
        await upsertSearchDocs(writtenIndex, indexedDocs.slice(startIndex, startIndex + 200))
      for (const query of QUERIES)
        writtenResultsByQuery.set(query, await searchInScope(writtenIndex, query, scope))
      rebuiltIndex = openEmptyIndex()
      await rebuildSearchIndex(rebuiltIndex, indexedDocs)
    })

    test.each(QUERIES)(
      'finds the same documents for "%s" as an index that was written in batches',
      async (query) => {
        expect(await searchInScope(rebuiltIndex, query, scope)).toEqual(writtenResultsByQuery.get(query))
      },
    )

    test('finds only documents of the audience', async () => {
      const docsById = new Map(indexedDocs.map((doc) => [doc.doc_id, doc]))
      const isInAudience = (docId: number) =>
        scope.visibility ? isMultipleOfSeven(docId) : !scope.kids || docsById.get(docId)?.kids === true
      const foundIds = new Set<number>()
      for (const query of QUERIES)
        for (const docId of (await searchInScope(rebuiltIndex, query, scope)).docIds) foundIds.add(docId)
      expect(foundIds.size).toBeGreaterThan(20)
      expect([...foundIds].filter((id) => !isInAudience(id))).toEqual([])
    })
  })

  test('finds the current documents after documents were changed, added and removed in a rebuilt index', async () => {
    const db = openEmptyIndex()
    await rebuildSearchIndex(db, createManyDocs())
    const idsBefore = await findMediaIds(db, 'dark', { limit: 600, type: 'movie' })
    const changedDoc = createDoc('Dark Renamed', { id: 20_007, popularity: (7 * 7_919) % 5_000 })
    await upsertSearchDocs(db, [changedDoc, createDoc('Dark Newcomer', { id: 40_000, popularity: 9_999 })])
    await removeSearchDocs(db, [20_014])
    const idsAfter = await findMediaIds(db, 'dark', { limit: 600, type: 'movie' })
    expect(idsAfter).toHaveLength(idsBefore.length)
    expect(idsAfter[0]).toBe('Dark Newcomer')
    expect(idsAfter).toContain('Dark Renamed')
    expect(await findMediaIds(db, 'renamed')).toEqual(['Dark Renamed'])
    await upsertSearchDocs(db, [{ ...changedDoc, visible: false }])
    expect(await findMediaIds(db, 'renamed')).toEqual([])
    await rebuildSearchIndex(db, createManyDocs())
    expect(await findMediaIds(db, 'dark', { limit: 600, type: 'movie' })).toEqual(idsBefore)
  })
})

test('a rebuild writes only the set of tables that searches do not use, even if another rebuild has just swapped the two sets', async () => {
  const db = openEmptyIndex()
  await upsertSearchDocs(db, [createDoc('Zorbulax')])
  const originalExec = db.exec.bind(db)
  // Simulates another rebuild that ends between the start and the first transaction of this rebuild.
  vi.spyOn(db, 'exec').mockImplementationOnce((statement) => {
    const stateOfOtherRebuild = { ...emptyIndexState, version: 9, live: 'b' }
    db.prepare("UPDATE search_meta SET value = ? WHERE key = 'state'").run(
      JSON.stringify(stateOfOtherRebuild),
    )
    originalExec(statement)
  })
  await rebuildSearchIndex(db, [createDoc('Quibbleton')])
  expect(await readSearchIndexState(db)).toMatchObject({ live: 'a', building: false })
  expect(await findMediaIds(db, 'quibbleton')).toEqual(['Quibbleton'])
})
