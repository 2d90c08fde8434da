import { beforeAll, describe, expect, test } from 'vitest'
import { type SearchDb, searchIndex, upsertSearchDocs } from '../../../server/search/engine.ts'
import { databases, doc, filled, find } from './support.ts'

describe.each(databases)('search on %s', (_, make) => {
  let db: SearchDb
  beforeAll(async () => {
    db = await filled(make)
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
  ])('%s finds %s first', async (q, title) => expect((await find(db, q))[0]).toBe(title))

  test('every beginning of a name finds it', async () => {
    const name = 'olympus has fallen'
    for (let end = 1; end <= name.length; end += 1)
      expect(await find(db, name.slice(0, end))).toContain('Olympus Has Fallen')
  })

  test('exact before prefix before fuzzy, then popularity', async () => {
    const hits = await find(db, 'heat')
    expect(hits.slice(0, 3)).toEqual(['Heat', 'Heat', 'The Heat'])
    expect((await find(db, 'matrix')).slice(0, 2)).toEqual(['The Matrix', 'The Matrix Reloaded'])
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
  ])('%j is not syntax', async (q) =>
    expect(await searchIndex(db, { q, limit: 5, type: 'all', scope: { kids: false } })).toMatchObject({
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
  ])('long and odd input answers quickly', async (q) => {
    const started = performance.now()
    await find(db, q)
    expect(performance.now() - started).toBeLessThan(1000)
  })
  test('a percent sign matches only names that hold one', async () =>
    expect(await find(db, '%')).toEqual(['100% Wolf']))
  test('controls of direction are not there', async () =>
    expect((await find(db, '\u202eheat\u202c'))[0]).toBe('Heat'))
  test('what is not there is not found', async () => expect(await find(db, 'qqqqzzzzx')).toEqual([]))

  test('a kids profile sees and counts only what is safe', async () => {
    const answer = await searchIndex(db, { q: 'wolf', limit: 10, type: 'all', scope: { kids: true } })
    expect(answer).toMatchObject({
      counts: { all: 1, movie: 1, tv: 0, actor: 0 },
      hits: [{ media_id: '100% Wolf' }],
    })
    for (const q of [
      'inception',
      'inseption',
      'انسبشن',
      'tom hanks',
      'olympushasfallen',
      'matr',
      'heat 1995',
      'castaway',
    ])
      expect(
        await find(db, q, { scope: { kids: true } }).then((hits) =>
          hits.filter((hit) => !kidsTitles.has(hit)),
        ),
      ).toEqual([])
  })

  test('tabs count every kind and show one', async () => {
    const all = await searchIndex(db, { q: 'tom', limit: 10, type: 'all', scope: { kids: false } })
    expect(all.counts).toEqual({ all: 2, movie: 0, tv: 1, actor: 1 })
    const actors = await searchIndex(db, { q: 'tom', limit: 10, type: 'actor', scope: { kids: false } })
    expect(actors.counts).toEqual(all.counts)
    expect(actors.hits.map((hit) => hit.media_id)).toEqual(['Tom Hanks'])
  })

  test('the answer names what matched', async () => {
    const { hits } = await searchIndex(db, { q: 'origin', limit: 1, type: 'all', scope: { kids: false } })
    expect(hits[0]).toMatchObject({ kind: 'movie', media_id: 'Inception', matched: 'Origine' })
  })

  test('pages follow one another without gaps, and counts say where they stop', async () => {
    const many = await make()
    await upsertSearchDocs(
      many,
      Array.from({ length: 700 }, (_, i) => doc(`Night ${i} xyz`, { popularity: i })),
    )
    const first = await searchIndex(many, { q: 'night', limit: 30, type: 'all', scope: { kids: false } })
    expect(first).toMatchObject({ exact: false, counts: { all: 500, movie: 500 } })
    const seen = new Set<string>()
    for (let offset = 0; offset < 500; offset += 50)
      for (const id of await find(many, 'night', { limit: 50, offset })) seen.add(id)
    expect(seen.size).toBe(500)
  })
})

const kidsTitles = new Set(['Spider-Man: Homecoming', '100% Wolf', 'Tom & Jerry'])
