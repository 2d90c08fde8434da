/** The order of titles by their names in the language of the viewer, in lists, smart lists and My List. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BrowseColumns } from '../../../server/browse/columns.ts'
import { walkSortedRows } from '../../../server/browse/order.ts'
import { type SortName, sortByName, TitleOrder } from '../../../server/browse/title-order.ts'
import type { BrowseTitle } from '../../../server/browse/types.ts'
import { createSeededGenerator } from '../../../server/images/random.ts'
import { getTitleSortKey, removeArticle } from '../../../src/lib/rules/slug.ts'
import { openDemoDatabase } from '../../support/demo-database.ts'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

interface SortedCard {
  id: string
  title: string
  original_title: string
}
const PAGE_SIZE = 25

describe.each(DATABASES)('lists in the order of titles on %s', () => {
  let server: TestServer
  let viewer: TestClient
  beforeAll(async () => {
    server = await startTestServer({ database: await openDemoDatabase() })
    await insertTestAccount(server, 'alice@example.com', 'admin')
    viewer = new TestClient(server)
    await viewer.login('alice@example.com')
    viewer.profileId = (await viewer.post('/api/profile', { name: 'Alice' })).body.profile_id
  }, 120_000)
  afterAll(() => server.close())

  const setTitleLanguage = (media_title_language: string) =>
    viewer.put(`/api/profile/${viewer.profileId}`, { preferences: { media_title_language } })
  /** Loads all pages of a list. */
  const loadAllPages = async (path: string, sort: string): Promise<SortedCard[]> => {
    const titles: SortedCard[] = []
    for (let page = 1; ; page++) {
      const { body } = await viewer.get(`${path}?sort=${sort}&limit=${PAGE_SIZE}&page=${page}`)
      titles.push(
        ...body.results.map((result: SortedCard & { media?: SortedCard }) => result.media ?? result),
      )
      if (page >= body.total_pages) {
        expect(new Set(titles.map(({ id }) => id)).size).toBe(body.total_results)
        return titles
      }
    }
  }
  const listNames = async (path: string, sort = 'title.asc') =>
    (await loadAllPages(path, sort)).map(({ title }) => title)
  const sortNames = (names: readonly string[], language: string) => {
    const { compare } = new Intl.Collator(language)
    return names.toSorted((a, b) => compare(removeArticle(a, language), removeArticle(b, language)))
  }
  const findId = async (title: string): Promise<string> =>
    (await loadAllPages('/api/movies', 'title.asc')).find((card) => card.title === title)?.id ?? ''
  const editTitle = (id: string, titles: { lang: string; text: string }[]) =>
    viewer.put(`/api/admin/titles/${id}`, { titles })

  it.each(['fr', 'ar'])(
    'movies and series are sorted by their names in the language %s, in ascending and in descending order',
    async (language) => {
      await setTitleLanguage('en')
      const englishNames = await listNames('/api/movies')
      await setTitleLanguage(language)
      for (const path of ['/api/movies', '/api/series']) {
        const names = await listNames(path)
        expect(names).toEqual(sortNames(names, language))
        expect(await listNames(path, 'title.desc')).toEqual(names.toReversed())
      }
      expect(sortNames(englishNames, 'en')).not.toEqual(await listNames('/api/movies'))
    },
  )

  it('titles are sorted by their original titles if the profile reads original titles', async () => {
    await setTitleLanguage('original')
    const titles = await loadAllPages('/api/movies', 'title.asc')
    expect(titles.map(({ title }) => title)).toEqual(titles.map(({ original_title }) => original_title))
    const sortKeys = titles.map(({ original_title }) => getTitleSortKey(original_title))
    expect(sortKeys).toEqual(sortKeys.toSorted(new Intl.Collator('en').compare))
  })

  it('a renamed title moves, a hidden title disappears, and a published title appears at its place in the order', async () => {
    await setTitleLanguage('fr')
    const names = await listNames('/api/movies')
    const [firstName = '', lastName = ''] = [names[0], names.at(-1)]
    const firstId = await findId(firstName)
    await editTitle(firstId, [{ lang: 'fr', text: 'Les Zzz de l’été' }])
    expect((await listNames('/api/movies')).at(-1)).toBe('Les Zzz de l’été')
    await editTitle(await findId(lastName), [{ lang: 'fr', text: 'Le 000' }])
    expect(await listNames('/api/movies')).toEqual(['Le 000', ...names.slice(1, -1), 'Les Zzz de l’été'])
    await viewer.patch(`/api/movies/${firstId}/publish`, { published: false })
    expect(await listNames('/api/movies')).toEqual(['Le 000', ...names.slice(1, -1)])
    await editTitle(firstId, [{ lang: 'fr', text: '001' }])
    await viewer.patch(`/api/movies/${firstId}/publish`, { published: true })
    expect(await listNames('/api/movies')).toEqual(['Le 000', '001', ...names.slice(1, -1)])
  })

  it('smart lists and My List sort titles by name in the title language of the profile, as the list of all movies does', async () => {
    await setTitleLanguage('fr')
    const listsPath = `/api/profile/${viewer.profileId}/lists`
    const filter = { type: 'movie', query: 'sort=title.desc' }
    const { body: list } = await viewer.post(listsPath, { name: 'Movies', filter })
    const movies = await loadAllPages('/api/movies', 'title.desc')
    const { body: listPage } = await viewer.get(`${listsPath}/${list.list_id}?limit=${PAGE_SIZE}`)
    expect(listPage.results.map(({ media }: { media: SortedCard }) => media.title)).toEqual(
      movies.slice(0, PAGE_SIZE).map(({ title }) => title),
    )
    const watchlistPath = `/api/profile/${viewer.profileId}/watchlist`
    const entries = movies.slice(0, 2 * PAGE_SIZE).map(({ id }) => ({ type: 'movie', media_id: id }))
    await viewer.put(watchlistPath, { entries })
    const listedNames = await listNames(watchlistPath)
    expect(listedNames).toEqual(sortNames(listedNames, 'fr'))
    expect(listedNames).toHaveLength(2 * PAGE_SIZE)
    expect(await listNames(watchlistPath, 'title.desc')).toEqual(listedNames.toReversed())
  })
})

describe('TitleOrder', () => {
  const drawNumber = createSeededGenerator(7)
  const createName = () =>
    Array.from({ length: 3 }, () => 'aàbcçdeéEœz-’ 1'.charAt(Math.floor(drawNumber() * 15))).join('')
  const skipPause = async () => {}
  const { compare } = new Intl.Collator('fr')
  const compareNames = (a: SortName, b: SortName) => compare(a.name, b.name) || a.title_id - b.title_id

  it('lists every row in order after titles are added, renamed and removed, before and after the changed rows are merged', async () => {
    const columns = new BrowseColumns({ genres: [], networks: [] })
    const namesByTitleId = new Map<number, string>()
    const writeTitle = (title_id: number) => {
      namesByTitleId.set(title_id, createName())
      return columns.writeTitle({ title_id, genres: [], networks: [] } as unknown as BrowseTitle)
    }
    const listSortNames = (titleIds: Iterable<number> = namesByTitleId.keys()): SortName[] =>
      [...titleIds].map((title_id) => ({ title_id, name: namesByTitleId.get(title_id) ?? '' }))
    for (let titleId = 1; titleId <= 1_000; titleId++) writeTitle(titleId)
    const titleOrder = new TitleOrder(columns, 'fr', await sortByName(listSortNames(), 'fr', skipPause))
    const listIds = (isDescending: boolean) => {
      const ids: number[] = []
      walkSortedRows(columns, titleOrder.getSortOrder(isDescending), (row) => {
        if (columns.flags[row] !== 0) ids.push(columns.ids[row] as number)
        return false
      })
      return ids
    }
    for (let step = 0; step < 60; step++) {
      const titleIds = new Set(Array.from({ length: 20 }, () => 1 + Math.floor(drawNumber() * 1_500)))
      const rowsByTitleId = new Map([...titleIds].map((titleId) => [titleId, writeTitle(titleId)]))
      const places = await titleOrder.findPlaces(listSortNames(titleIds), async (ids) => listSortNames(ids))
      for (const [titleId, place] of places) titleOrder.move(rowsByTitleId.get(titleId) ?? 0, place)
      const removedId = 1 + Math.floor(drawNumber() * 1_500)
      columns.removeTitle(removedId)
      namesByTitleId.delete(removedId)
      titleOrder.mergeMovedRows()
      const expectedIds = listSortNames()
        .sort(compareNames)
        .map(({ title_id }) => title_id)
      expect(listIds(false)).toEqual(expectedIds)
      expect(listIds(true)).toEqual(expectedIds.toReversed())
    }
  })

  it('sorts more names than one chunk contains', async () => {
    const sortNames = Array.from({ length: 50_000 }, (_, index) => ({
      title_id: index + 1,
      name: createName(),
    }))
    const expectedIds = sortNames.toSorted(compareNames).map(({ title_id }) => title_id)
    expect([...(await sortByName(sortNames, 'fr', skipPause))]).toEqual(expectedIds)
  })
})

it.each([
  ['Le Parrain', 'fr', 'Parrain'],
  ['L’Été meurtrier', 'fr', 'Été meurtrier'],
  ['À bout de souffle', 'fr', 'À bout de souffle'],
  ['« Amour »', 'fr', 'Amour »'],
  ['Les', 'fr', 'Les'],
  ['الممر', 'ar', 'ممر'],
  ['ألمانيا', 'ar', 'ألمانيا'],
  ['الله أكبر', 'ar', 'الله أكبر'],
  ['The Godfather', 'en', 'Godfather'],
  ['...', 'fr', '...'],
])('"%s" in the language %s is sorted as "%s"', (name, language, sortName) => {
  expect(removeArticle(name, language)).toBe(sortName)
})
