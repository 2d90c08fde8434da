import { beforeAll, describe, expect, test } from 'vitest'
import { type SearchDb, searchIndex, upsertSearchDocs } from '../../../server/search/engine.ts'
import { createDoc, findMediaIds, openEmptyIndex, openFilledIndex } from './index-fixture.ts'

describe('search', () => {
  let db: SearchDb
  beforeAll(async () => {
    db = await openFilledIndex()
  })

  test.each([
    ['inception', 'Inception'],
    ['Origine', 'Inception'],
    ['inseption', 'Inception'],
    ['incpetion', 'Inception'],
    ['inceptoin', 'Inception'],
    ['انسبشن', 'Inception'],
    ['ليوناردو دي كابريو', 'Leonardo DiCaprio'],
    ['матрица', 'The Matrix'],
    ['まとりっくす', 'The Matrix'],
    ['matrix the', 'The Matrix'],
    ['heat 1995', 'Heat'],
    ['tom hanks castaway', 'Cast Away'],
    ['reeves reloaded', 'The Matrix Reloaded'],
    ['spiderman', 'Spider-Man: Homecoming'],
    ['spider man home', 'Spider-Man: Homecoming'],
    ['policeacademy', 'Police Academy'],
    ['polic eacademy', 'Police Academy'],
    ['olym pus has fallen', 'Olympus Has Fallen'],
    ['rocky 2', 'Rocky II'],
    ['rocky two', 'Rocky II'],
    ['rocky five', 'Rocky V'],
    ['rocky ٥', 'Rocky V'],
    ['100% wolf', '100% Wolf'],
    ['C++', 'C++'],
    ['c', 'C'],
    ["O'Neil", "O'Neil"],
    ['oneil', "O'Neil"],
    ['o neil', "O'Neil"],
    ['tom and jerry', 'Tom & Jerry'],
    ['tom jerry', 'Tom & Jerry'],
    ['amelie poulain', "Le Fabuleux Destin d'Amélie Poulain"],
    ['قلب المراه', 'قلب المرأة'],
    ['قلـــب مرأة', 'قلب المرأة'],
    ['محطه انس', 'محطة الأنس'],
    ['戦旗', '星界の戦旗'],
    ['renee zelweger', 'Renée Zellweger'],
    ['ren e zellweger', 'Renée Zellweger'],
    ['braking bad', 'Breaking Bad'],
    ['!!!', '!!!'],
  ])('the query "%s" finds "%s" first', async (query, title) =>
    expect((await findMediaIds(db, query))[0]).toBe(title),
  )

  test('finds a title by every prefix of its name', async () => {
    const name = 'olympus has fallen'
    for (let endIndex = 1; endIndex <= name.length; endIndex += 1)
      expect(await findMediaIds(db, name.slice(0, endIndex))).toContain('Olympus Has Fallen')
  })

  test('ranks exact matches before prefix matches', async () => {
    const hits = await findMediaIds(db, 'heat')
    expect(hits.slice(0, 3)).toEqual(['Heat', 'Heat', 'The Heat'])
    expect((await findMediaIds(db, 'matrix')).slice(0, 2)).toEqual(['The Matrix', 'The Matrix Reloaded'])
  })

  test.each([
    '"',
    '*',
    'NEAR(',
    'NEAR(a b)',
    "'",
    "';--",
    '\\',
    '(',
    ')',
    'a AND',
    'OR',
    '-x',
    '^a',
    'a:b',
    '{',
    '+',
    '_',
    '§k',
    '§y1995',
    '\u0000',
    '\ud800',
  ])('treats %j as text, not as query syntax', async (query) =>
    expect(await searchIndex(db, { q: query, limit: 5, type: 'all', scope: { kids: false } })).toMatchObject({
      exact: true,
    }),
  )
  test.each([
    '😀'.repeat(200),
    '\u202eheat\u202c',
    'a '.repeat(100),
    'x'.repeat(256),
    'the '.repeat(64),
    'ا'.repeat(256),
  ])('completes a search with a long or unusual query within one second (case %#)', async (query) => {
    const startedAtMs = performance.now()
    await findMediaIds(db, query)
    expect(performance.now() - startedAtMs).toBeLessThan(1000)
  })
  test('a search for a percent sign finds only names that contain a percent sign', async () =>
    expect(await findMediaIds(db, '%')).toEqual(['100% Wolf']))
  test('ignores direction control characters in the query', async () =>
    expect((await findMediaIds(db, '\u202eheat\u202c'))[0]).toBe('Heat'))
  test('finds nothing for unknown text', async () => expect(await findMediaIds(db, 'qqqqzzzzx')).toEqual([]))

  test('finds and counts only kids titles for a kids profile', async () => {
    const searchResult = await searchIndex(db, { q: 'wolf', limit: 10, type: 'all', scope: { kids: true } })
    expect(searchResult).toMatchObject({
      counts: { all: 1, movie: 1, tv: 0, actor: 0 },
      hits: [{ media_id: '100% Wolf' }],
    })
    for (const query of [
      'inception',
      'inseption',
      'انسبشن',
      'tom hanks',
      'olympushasfallen',
      'matr',
      'heat 1995',
      'castaway',
    ]) {
      const findOtherTitles = async (kids: boolean) =>
        (await findMediaIds(db, query, { scope: { kids } })).filter((hit) => !KIDS_MEDIA_IDS.has(hit))
      expect(await findOtherTitles(false)).not.toEqual([])
      expect(await findOtherTitles(true)).toEqual([])
    }
  })

  test('counts the results of every kind and returns only results of the selected kind', async () => {
    const allKindsReply = await searchIndex(db, { q: 'tom', limit: 10, type: 'all', scope: { kids: false } })
    // The matches are a movie with the actor Tom Hanks, the series "Tom & Jerry", and the actor Tom Hanks.
    expect(allKindsReply.counts).toEqual({ all: 3, movie: 1, tv: 1, actor: 1 })
    const actors = await searchIndex(db, { q: 'tom', limit: 10, type: 'actor', scope: { kids: false } })
    expect(actors.counts).toEqual(allKindsReply.counts)
    expect(actors.hits.map((hit) => hit.media_id)).toEqual(['Tom Hanks'])
    expect(actors.leadingHits).toEqual(allKindsReply.hits)
  })

  test('returns which name of the title matched the query', async () => {
    const { hits } = await searchIndex(db, { q: 'origin', limit: 1, type: 'all', scope: { kids: false } })
    expect(hits[0]).toMatchObject({ kind: 'movie', media_id: 'Inception', matchedName: 'Origine' })
  })

  test('returns pages without gaps up to 500 results, and marks larger counts as inexact', async () => {
    const largeIndex = openEmptyIndex()
    await upsertSearchDocs(
      largeIndex,
      Array.from({ length: 700 }, (_, index) => createDoc(`Night ${index} xyz`, { popularity: index })),
    )
    const firstPage = await searchIndex(largeIndex, {
      q: 'night',
      limit: 30,
      type: 'all',
      scope: { kids: false },
    })
    expect(firstPage).toMatchObject({ exact: false, counts: { all: 500, movie: 500 } })
    const foundIds = new Set<string>()
    for (let offset = 0; offset < 500; offset += 50)
      for (const id of await findMediaIds(largeIndex, 'night', { limit: 50, offset })) foundIds.add(id)
    expect(foundIds.size).toBe(500)
  })

  test('marks counts of a limited audience as inexact after the maximum number of matches was read', async () => {
    const largeIndex = openEmptyIndex()
    const people = Array.from({ length: 1_001 }, (_, index) =>
      createDoc(`Anna ${1_000 + index}`, { kind: 'actor', popularity: 2_000 - index }),
    )
    await upsertSearchDocs(largeIndex, people)
    const searchLargeIndex = (visibleId: number | undefined) =>
      searchIndex(largeIndex, {
        q: 'anna',
        limit: 30,
        type: 'all',
        scope: {
          kids: false,
          visibility: {
            isTitleVisible: () => false,
            selectVisiblePeople: async (ids) => new Set(ids.filter((id) => id === visibleId)),
          },
        },
      })
    expect(await searchLargeIndex(people[600]?.doc_id)).toMatchObject({ exact: false, counts: { all: 1 } })
    expect(await searchLargeIndex(people[1_000]?.doc_id)).toMatchObject({ exact: false, counts: { all: 0 } })
  })
})

const KIDS_MEDIA_IDS = new Set(['Spider-Man: Homecoming', '100% Wolf', 'Tom & Jerry'])
