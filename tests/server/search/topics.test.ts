import { beforeAll, describe, expect, test } from 'vitest'
import { type SearchDb, searchIndex, upsertSearchDocs } from '../../../server/search/engine.ts'
import type { FacetValue } from '../../../server/search/types.ts'
import { createDoc, findMediaIds, openEmptyIndex } from './index-fixture.ts'

const parseFacets = (facetsText: string): FacetValue[] =>
  facetsText.split(' ').map((facetText) => {
    const [kind = '', value = ''] = facetText.split(':')
    return { kind: kind as FacetValue['kind'], value }
  })
const createTopicDocs = () => [
  createDoc('Parasite', {
    year: 2019,
    popularity: 17_000,
    facets: parseFacets('genre:53 genre:35 language:ko country:KR'),
    crew: ['Bong Joon Ho'],
  }),
  createDoc('The Gangster', { year: 2019, popularity: 900, facets: parseFacets('genre:53 language:ko') }),
  createDoc('Gone Girl', { year: 2014, popularity: 16_000, facets: parseFacets('genre:53 language:en') }),
  createDoc('The Conjuring', { year: 2013, popularity: 11_000, facets: parseFacets('genre:27 language:en') }),
  createDoc('Kids Horror Night', { kids: true, popularity: 5, facets: parseFacets('genre:27') }),
  createDoc('Arrival', { year: 2016, popularity: 17_500, keywords: ['linguist', 'alien contact'] }),
  createDoc('Oppenheimer', { year: 2023, popularity: 9_000, crew: ['Christopher Nolan'] }),
  createDoc('Gladiator', { year: 2000, popularity: 18_000, people: ['Russell Crowe', 'Joaquin Phoenix'] }),
  createDoc('The Comedy', { popularity: 40, people: ['Jim Carrey'] }),
  createDoc('Gladiator II', { year: 2024, popularity: 3_000, people: ['Paul Mescal'] }),
  createDoc('Dumb and Dumber', {
    year: 1994,
    popularity: 6_000,
    facets: parseFacets('genre:35'),
    people: ['Jim Carrey'],
  }),
  createDoc('Fellowship of the Ring', { popularity: 22_000, topics: ['hobbit', 'the shire'] }),
  createDoc('The Godfather', {
    year: 1972,
    popularity: 19_000,
    topics: ['The contact of the family is an alien in this world.'],
  }),
  createDoc('The Godfather Part II', { year: 1974, popularity: 11_000 }),
  createDoc('Fast & Furious', { year: 2009, popularity: 7_000 }),
  createDoc('The Fast and the Furious', { year: 2001, popularity: 9_000 }),
  createDoc('Furious 7', { year: 2015, popularity: 10_000 }),
  createDoc('E.T. the Extra-Terrestrial', { year: 1982, popularity: 10_500 }),
  createDoc('Jules et Jim', { popularity: 400 }),
  createDoc(['Joker', 'Le Joker'], { year: 2019, popularity: 25_000 }),
  createDoc('جوكر', { popularity: 2 }),
  createDoc('Run Lola Run', { year: 1998, popularity: 2_000, facets: parseFacets('language:de') }),
  createDoc('Game of Thrones', {
    kind: 'tv',
    popularity: 23_000,
    facets: parseFacets('network:hbo country:US'),
  }),
  createDoc('The Wire', { kind: 'tv', popularity: 2_000, facets: parseFacets('network:hbo') }),
  createDoc('Ghosts', { kind: 'tv', popularity: 90, facets: parseFacets('network:bbc-one country:GB') }),
  createDoc('The Office', {
    kind: 'tv',
    popularity: 4_000,
    facets: parseFacets('country:US language:en'),
    id: 8001,
  }),
  {
    ...createDoc('The Office', { kind: 'tv', popularity: 500, facets: parseFacets('country:GB'), id: 8002 }),
    media_id: 'uk',
  },
  createDoc('Jim Carrey', { kind: 'actor', popularity: 60 }),
  createDoc('Christopher Nolan', { kind: 'actor', popularity: 70 }),
  createDoc('Russell Crowe', { kind: 'actor', popularity: 50 }),
]

describe('search by content', () => {
  let db: SearchDb
  const searchTitles = (query: string, isKidsProfile = false) =>
    searchIndex(db, { q: query, limit: 10, type: 'all', scope: { kids: isKidsProfile } })
  beforeAll(async () => {
    db = openEmptyIndex()
    await upsertSearchDocs(db, createTopicDocs())
  })

  test.each([
    ['korean thriller 2019', ['Parasite', 'The Gangster']],
    ['thriller coréen 2019', ['Parasite', 'The Gangster']],
    ['إثارة كوري 2019', ['Parasite', 'The Gangster']],
    ['فيلم ألماني', ['Run Lola Run']],
    ['الألمانية', ['Run Lola Run']],
    ['south korea', ['Parasite', 'The Gangster']],
    ['hbo', ['Game of Thrones', 'The Wire']],
    ['bbc one', ['Ghosts']],
    ['comedy with jim carrey', ['Dumb and Dumber']],
    ['netflix comedy with jim carey', ['Dumb and Dumber']],
    ['linguist', ['Arrival']],
    ['linguists', ['Arrival']],
    ['hobbit shire', ['Fellowship of the Ring']],
    ['1970s', ['The Godfather', 'The Godfather Part II']],
    ['godfather 2', ['The Godfather Part II']],
    ['fast and furious 7', ['Furious 7']],
    ['E.T.', ['E.T. the Extra-Terrestrial']],
    ['gladiator russel crow', ['Gladiator']],
    ['got', ['Game of Thrones']],
    ['game of thrones season 8 episode 3', ['Game of Thrones']],
    ['game of thrones s08e03', ['Game of Thrones']],
    ['game of thrones 8x03', ['Game of Thrones']],
    ['game of thrones saison 8', ['Game of Thrones']],
    ['game of thrones الموسم الثامن', ['Game of Thrones']],
    ['the office uk', ['uk']],
  ])('the query "%s" finds %j first', async (query, titles) => {
    const hits = await findMediaIds(db, query)
    expect(hits.slice(0, titles.length)).toEqual(titles)
  })

  test('the query "E.T." finds only the title whose name contains "E.T." with dots', async () =>
    expect(await findMediaIds(db, 'E.T.')).toEqual(['E.T. the Extra-Terrestrial']))

  test('a query that equals the name of an almost unknown title also finds a famous title in another script', async () =>
    expect(await findMediaIds(db, 'جوكر')).toEqual(['جوكر', 'Joker']))

  test('returns the recognised facets, and marks titles that were not found by their names', async () => {
    const searchResult = await searchTitles('korean thriller 2019')
    expect(searchResult.facets).toEqual([
      { kind: 'language', value: 'ko', text: 'korean' },
      { kind: 'genre', value: '53', text: 'thriller' },
      { kind: 'year', value: '2019', text: '2019' },
    ])
    expect(searchResult.hits).not.toHaveLength(0)
    expect(searchResult.hits.every((hit) => hit.isTopicMatch)).toBe(true)
    expect((await searchTitles('gone girl')).facets).toEqual([])
  })

  test('finds a title whose name contains a genre word, such as “The Comedy”, when the query also names a person of the title', async () =>
    expect((await findMediaIds(db, 'jim carrey comedy')).slice(0, 2)).toContain('The Comedy'))
  test('ignores a facet that excludes all titles', async () =>
    expect((await searchTitles('netflix comedy with jim carrey')).facets.map(({ value }) => value)).toEqual([
      '35',
      'jim carrey',
    ]))

  test('returns the season and a null episode for a query that names a season without an episode', async () =>
    expect((await searchTitles('the wire season two')).episode).toEqual({ season: 2, episode: null }))

  test('ranks titles with a keyword before more popular titles whose plots contain the words of the keyword', async () =>
    expect((await findMediaIds(db, 'alien contact')).slice(0, 2)).toEqual(['Arrival', 'The Godfather']))

  test('ranks titles whose names contain a word before titles with this word as a topic', async () =>
    expect((await findMediaIds(db, 'horror night'))[0]).toBe('Kids Horror Night'))

  test('finds and counts only kids titles for a kids profile', async () => {
    const searchResult = await searchTitles('horror', true)
    expect(searchResult.hits.map((hit) => hit.media_id)).toEqual(['Kids Horror Night'])
    expect(searchResult.counts.all).toBe(1)
    for (const query of ['hbo', 'linguist', 'korean thriller 2019', 'got', 'E.T.'])
      expect(await searchTitles(query, true)).toMatchObject({ hits: [], facets: [], counts: { all: 0 } })
  })

  test('does not find a title by facets and topics that were removed', async () => {
    const newDb = openEmptyIndex()
    const createDocVersion = (topic: string, facet: string) =>
      createDoc('Changing', { id: 1, topics: [topic], facets: parseFacets(facet) })
    await upsertSearchDocs(newDb, [createDocVersion('lighthouse', 'genre:27')])
    expect(await findMediaIds(newDb, 'lighthouse')).toEqual(['Changing'])
    await upsertSearchDocs(newDb, [createDocVersion('volcano', 'genre:35')])
    expect(await findMediaIds(newDb, 'lighthouse')).toEqual([])
    expect(await findMediaIds(newDb, 'horror')).toEqual([])
    expect(await findMediaIds(newDb, 'volcano')).toEqual(['Changing'])
  })
})
