/** Named lists: order, sharing within the household, smart lists, limits, imports with undo, and exports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteExpiredRows } from '../../../server/queries/maintenance.ts'
import { NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'
import { DATABASES } from '../../support/server.ts'
import {
  exportHistory,
  type ImportHousehold,
  importFile,
  runImportAction,
  startImportHousehold,
} from '../history-import/import-household.ts'

const createTitleRef = (media_id: string) => ({ type: 'movie', media_id })

describe.each(DATABASES)('named lists on %s', () => {
  let household: ImportHousehold
  let movies: { id: string; imdb_id: string; safe_for_kids: boolean; title: string }[]
  beforeAll(async () => {
    household = await startImportHousehold()
    movies = (await household.adult.get('/api/movies?limit=100')).body.results
  }, 120_000)
  afterAll(() => household.server.close())

  const getListPath = (listId = '', profileId = household.adult.profileId) =>
    `/api/profile/${profileId}/lists${listId && `/${listId}`}`
  const createList = async (fields: object): Promise<string> =>
    (await household.adult.post(getListPath(), fields)).body.list_id
  const setTitlesIncluded = (listId: string, ids: string[], isIncluded = true) =>
    household.adult.put(`${getListPath(listId)}/titles`, {
      titles: ids.map((id) => ({ ...createTitleRef(id), included: isIncluded })),
    })
  const loadOwnLists = async () =>
    (await household.adult.get(getListPath())).body.results.filter((list: { own: boolean }) => list.own)
  const listTitleIds = async (listId: string) =>
    (await household.adult.get(`${getListPath(listId)}?limit=100`)).body.results.map(
      (listedTitle: { media_id: string }) => listedTitle.media_id,
    )

  it('a list keeps the order of the user when titles are added, moved, removed and put back', async () => {
    await household.switchToNewProfile('Order')
    const { adult } = household
    const listId = await createList({ name: '  Rainy days ', description: 'For November' })
    await setTitlesIncluded(listId, ['1', '2', '3', '4'])
    const moveTitle = (id: string, beforeId: string | null) =>
      adult.put(`${getListPath(listId)}/order`, {
        title: createTitleRef(id),
        before: beforeId && createTitleRef(beforeId),
      })
    await moveTitle('4', '2')
    expect(await listTitleIds(listId)).toEqual(['1', '4', '2', '3'])
    await moveTitle('1', null)
    expect(await listTitleIds(listId)).toEqual(['4', '2', '3', '1'])
    const { results } = (await adult.get(getListPath(listId))).body
    await setTitlesIncluded(listId, ['2'], false)
    expect(await listTitleIds(listId)).toEqual(['4', '3', '1'])
    const { position } = results[1]
    await adult.put(`${getListPath(listId)}/titles`, {
      titles: [{ ...createTitleRef('2'), included: true, position }],
    })
    expect(await listTitleIds(listId)).toEqual(['4', '2', '3', '1'])
    const { body } = await adult.get(`${getListPath()}?type=movie&media_id=2`)
    expect(body.results).toMatchObject([
      { name: 'Rainy days', description: 'For November', title_count: 4, contains: true, own: true },
    ])
    expect(body.results[0].posters).toHaveLength(4)
    for (const query of ['type=movie', 'media_id=2'])
      expect((await adult.get(`${getListPath()}?${query}`)).status).toBe(422)
    expect((await adult.get(`${getListPath(listId)}?limit=3&page=2`)).body).toMatchObject({
      total_results: 4,
      results: [{ media_id: '1' }],
    })
    expect((await moveTitle('5', null)).status).toBe(404)
    expect((await setTitlesIncluded(listId, ['1', '999999'])).status).toBe(404)
  })

  it('adding or removing titles returns the changes, and sending the opposite changes restores the list', async () => {
    await household.switchToNewProfile('Changes')
    const { adult, server } = household
    const listId = await createList({ name: 'Changes' })
    const loadListTitles = async () => (await adult.get(`${getListPath(listId)}?limit=100`)).body.results
    expect((await setTitlesIncluded(listId, ['2', '3', '2'])).body.changes).toMatchObject([
      { ...createTitleRef('2'), included: true },
      { ...createTitleRef('3'), included: true },
    ])
    await server.database.primary
      .updateTable('named_list_entry')
      .set({ added_at: null })
      .where('list_id', '=', listId)
      .where('title_id', '=', 3)
      .execute()
    const titlesOfList = await loadListTitles()
    const invertIncluded = (changes: { included: boolean }[]) =>
      changes.map((change) => ({ ...change, included: !change.included }))
    server.advanceClock(60_000)
    for (const [ids, isIncluded] of [
      [['1', '2'], true],
      [['1', '2', '3'], false],
    ] as const) {
      const { changes } = (await setTitlesIncluded(listId, [...ids], isIncluded)).body
      expect(changes.map((change: { media_id: string }) => change.media_id)).toEqual(
        isIncluded ? ['1'] : ['2', '3'],
      )
      await adult.put(`${getListPath(listId)}/titles`, { titles: invertIncluded(changes) })
      expect(await loadListTitles()).toEqual(titlesOfList)
    }
    const futureTime = new Date(server.deps.now() + 60_000).toISOString()
    const { body } = await adult.put(`${getListPath(listId)}/titles`, {
      titles: [{ ...createTitleRef('4'), included: true, added_at: futureTime }],
    })
    expect(body.changes[0].added_at < futureTime).toBe(true)
  })

  it('an empty list name, the name of another list, and a list above the maximum number of lists are rejected', async () => {
    await household.switchToNewProfile('Limits')
    const { adult, server } = household
    const listId = await createList({ name: 'One' })
    expect((await adult.post(getListPath(), { name: 'One' })).body.errors).toEqual({ name: ['taken'] })
    expect((await adult.post(getListPath(), { name: ' ' })).status).toBe(422)
    await createList({ name: 'Two' })
    expect((await adult.put(getListPath(listId), { name: 'Two' })).body.errors).toEqual({ name: ['taken'] })
    expect((await adult.put(getListPath(listId), { name: 'Three', on_home: true })).body).toMatchObject({
      name: 'Three',
      on_home: true,
    })
    const row = await server.database.primary
      .selectFrom('named_list')
      .selectAll()
      .where('list_id', '=', listId)
      .executeTakeFirstOrThrow()
    await server.database.primary
      .insertInto('named_list')
      .values(
        Array.from({ length: NAMED_LIST_LIMITS.lists - 2 }, (_, index) => ({
          ...row,
          list_id: `${listId}${index}`,
          name: `List ${index}`,
        })),
      )
      .execute()
    expect((await adult.post(getListPath(), { name: 'More' })).body.errors).toEqual({ name: ['too_many'] })
  })

  it('other profiles of the account can read a shared list, but only the profile that owns the list can change the list', async () => {
    await household.switchToNewProfile('Shares')
    const { adult, kid, kidId, adultId } = household
    const safeMovieId = movies.find((movie) => movie.safe_for_kids)?.id ?? ''
    const unsafeMovieId = movies.find((movie) => !movie.safe_for_kids)?.id ?? ''
    const listId = await createList({ name: 'Family' })
    await setTitlesIncluded(listId, [unsafeMovieId])
    const ownerProfileId = adult.profileId
    adult.profileId = adultId
    expect((await adult.get(getListPath(listId))).status).toBe(404)
    adult.profileId = ownerProfileId
    await adult.put(getListPath(listId), { shared: true })
    // A list is hidden from a kids profile that may see none of the titles in the list.
    expect((await kid.get(getListPath(listId, kidId))).status).toBe(404)
    await setTitlesIncluded(listId, [safeMovieId])
    expect((await kid.get(getListPath(listId, kidId))).body).toMatchObject({
      list: { name: 'Family', own: false, owner_name: 'Shares', title_count: 1 },
      results: [{ media_id: safeMovieId }],
    })
    expect((await kid.get(getListPath('', kidId))).body.results).toMatchObject([{ title_count: 1 }])
    adult.profileId = adultId
    expect((await adult.get(getListPath(listId))).body.results).toHaveLength(2)
    for (const sendRequest of [
      () => adult.put(getListPath(listId), { name: 'Mine' }),
      () => adult.delete(getListPath(listId)),
      () => adult.post(`${getListPath(listId)}/restore`),
      () => setTitlesIncluded(listId, [safeMovieId], false),
      () => adult.put(`${getListPath(listId)}/order`, { title: createTitleRef(safeMovieId), before: null }),
    ])
      expect((await sendRequest()).status).toBe(404)
  })

  it('lists of a kids profile contain only titles that the kids profile may see', async () => {
    const { kid, kidId } = household
    const unsafeMovieId = movies.find((movie) => !movie.safe_for_kids)?.id ?? ''
    const safeMovieId = movies.find((movie) => movie.safe_for_kids)?.id ?? ''
    const { list_id } = (await kid.post(getListPath('', kidId), { name: 'Mine' })).body
    const addTitle = (id: string) =>
      kid.put(`${getListPath(list_id, kidId)}/titles`, {
        titles: [{ ...createTitleRef(id), included: true }],
      })
    expect((await addTitle(unsafeMovieId)).status).toBe(404)
    expect((await addTitle(safeMovieId)).body).toMatchObject({ title_count: 1 })
    const filter = { type: 'movie', query: 'kids=false' }
    const smartList = (await kid.post(getListPath('', kidId), { name: 'All', filter })).body
    const { results } = (await kid.get(`${getListPath(smartList.list_id, kidId)}?limit=100`)).body
    expect(results.length).toBeGreaterThan(0)
    expect(results.every((item: { media: { safe_for_kids: boolean } }) => item.media.safe_for_kids)).toBe(
      true,
    )
  })

  it('a smart list contains the same titles as the catalogue page with the same filters, and rejects titles that a user adds', async () => {
    await household.switchToNewProfile('Smart')
    const { adult } = household
    const filter = { type: 'movie', query: 'include-genres=18&include-genres=80&sort=title.asc' }
    const listId = await createList({ name: 'Dramas', filter })
    const expectedPage = (await adult.get(`/api/movies?${filter.query}&limit=5`)).body
    const page = (await adult.get(`${getListPath(listId)}?limit=5`)).body
    expect(page.results.map((item: { media_id: string }) => item.media_id)).toEqual(
      expectedPage.results.map((title: { id: string }) => title.id),
    )
    expect(page).toMatchObject({ total_results: expectedPage.total_results, list: { filter } })
    expect((await setTitlesIncluded(listId, ['1'])).body.errors).toEqual({ titles: ['smart_list'] })
    for (const query of ['admin=true', 'sort=nothing', 'page=2', 'published=false', 'unknown=1'])
      expect(
        (await adult.post(getListPath(), { name: query, filter: { type: 'movie', query } })).status,
      ).toBe(422)
    await adult.put(getListPath(listId), { on_home: true })
    const { results } = (await adult.get(`${getListPath()}/home`)).body
    expect(results).toMatchObject([{ list_id: listId, name: 'Dramas' }])
    expect(results[0].results.length).toBeGreaterThan(4)
  })

  it('a deleted list can be restored with its titles for 30 days', async () => {
    await household.switchToNewProfile('Bin')
    const { adult, server } = household
    const listId = await createList({ name: 'Gone' })
    await setTitlesIncluded(listId, ['3', '1'])
    expect((await adult.delete(getListPath(listId))).status).toBe(204)
    expect((await adult.get(getListPath(listId))).status).toBe(404)
    await createList({ name: 'Gone' })
    expect((await adult.post(`${getListPath(listId)}/restore`)).body).toMatchObject({ name: 'Gone (2)' })
    expect(await listTitleIds(listId)).toEqual(['3', '1'])
    await adult.delete(getListPath(listId))
    const { primary } = server.database
    const logins = await primary.selectFrom('login').selectAll().execute()
    const countRows = async () =>
      (await primary.selectFrom('named_list').selectAll().where('list_id', '=', listId).execute()).length
    await deleteExpiredRows(primary, server.deps.now() + 29 * 86_400_000)
    expect(await countRows()).toBe(1)
    await deleteExpiredRows(primary, server.deps.now() + 31 * 86_400_000)
    expect(await countRows()).toBe(0)
    // The calls above have also deleted the logins, which expire within 31 days. Restores them for the next tests.
    await primary.insertInto('login').values(logins).execute()
  })

  it('a restored list with a long name gets a shortened name with a number if another list has taken the name', async () => {
    await household.switchToNewProfile('Long names')
    const { adult, server } = household
    const longNames = [
      'x'.repeat(NAMED_LIST_LIMITS.nameLength),
      `${'y'.repeat(NAMED_LIST_LIMITS.nameLength - 5)}😀zzz`,
    ]
    for (const name of longNames) {
      const listId = await createList({ name })
      await setTitlesIncluded(listId, ['3'])
      await adult.delete(getListPath(listId))
      // An export contains the lists in the order of their creation times, so each list needs its own time.
      server.advanceClock(10)
      await createList({ name })
      server.advanceClock(10)
      expect((await adult.post(`${getListPath(listId)}/restore`)).status).toBe(200)
    }
    expect((await loadOwnLists()).map((list: { name: string }) => list.name)).toEqual([
      `${'x'.repeat(NAMED_LIST_LIMITS.nameLength - 4)} (2)`,
      longNames[0],
      `${'y'.repeat(NAMED_LIST_LIMITS.nameLength - 5)}😀 (2)`,
      longNames[1],
    ])
    const exportedFile = await exportHistory(adult)
    await household.switchToNewProfile('Long copies')
    await importFile(adult, 'marquee-export.json', exportedFile)
    expect(await exportHistory(adult)).toBe(exportedFile)
  })

  it('a description that is too long after normalisation is rejected, and a stored description of that length is cut in the export', async () => {
    await household.switchToNewProfile('Descriptions')
    const { adult, server } = household
    // The NFC form of this letter has two code points, so the normalised description is twice as long as allowed.
    const description = '\u0958'.repeat(NAMED_LIST_LIMITS.descriptionLength)
    expect((await adult.post(getListPath(), { name: 'Long', description })).body.errors).toEqual({
      description: ['too_long'],
    })
    const listId = await createList({ name: 'Stored' })
    await setTitlesIncluded(listId, ['3'])
    await server.database.primary
      .updateTable('named_list')
      .set({
        name: `${'n'.repeat(NAMED_LIST_LIMITS.nameLength)} (2)`,
        description: description.normalize('NFC'),
      })
      .where('list_id', '=', listId)
      .execute()
    const exportedFile = await exportHistory(adult)
    const { named_list, list_title } = JSON.parse(exportedFile)
    const name = 'n'.repeat(NAMED_LIST_LIMITS.nameLength)
    expect(named_list).toMatchObject([
      { name, description: '\u0915\u093c'.repeat(NAMED_LIST_LIMITS.descriptionLength / 2) },
    ])
    expect(list_title).toMatchObject([{ name }])
    await household.switchToNewProfile('Cut descriptions')
    await importFile(adult, 'marquee-export.json', exportedFile)
    expect(await exportHistory(adult)).toBe(exportedFile)
  })

  it('the name of an imported list is cut to the length limit, which counts an emoji as one character', async () => {
    await household.switchToNewProfile('Long imports')
    const { adult } = household
    const { imdb_id } = (await adult.get('/api/movies/3')).body
    const nameStart = 'i'.repeat(NAMED_LIST_LIMITS.nameLength - 1)
    await importFile(
      adult,
      `${nameStart}😀😀.csv`,
      `Position,Const,Created,Modified,Description,Title,URL,Title Type\n1,${imdb_id},2020-05-05,2020-05-05,,x,,Movie\n`,
    )
    expect(await loadOwnLists()).toMatchObject([{ name: `${nameStart}😀`, title_count: 1 }])
  })

  it('importing a list from Letterboxd, IMDb or Trakt keeps the order of the titles, and undoing the import removes the list', async () => {
    await household.switchToNewProfile('Imports')
    const { adult } = household
    const details = await Promise.all(
      ['3', '1', '2'].map(async (id) => (await adult.get(`/api/movies/${id}`)).body),
    )
    const letterboxdCsv = `Letterboxd list export v7
Date,Name,Tags,URL,Description
2021-02-28,Slow films,,https://boxd.it/x,

Position,Name,Year,URL,Description
${details.map((movie, index) => `${index + 1},"${movie.title}",${movie.year},https://boxd.it/${index},`).join('\n')}
`
    const imdbCsv = `Position,Const,Created,Modified,Description,Title,URL,Title Type
${details.map((movie, index) => `${index + 1},${movie.imdb_id},2020-05-05,2020-05-05,,x,,Movie`).join('\n')}
`
    const traktItems = details.map((movie, index) => ({
      rank: index + 1,
      listed_at: '2020-01-02T03:04:05.000Z',
      type: 'movie',
      movie: { title: movie.title, year: movie.year, ids: { trakt: index + 1, imdb: movie.imdb_id } },
    }))
    const files = [
      ['slow-films.csv', letterboxdCsv, 'Slow films'],
      ['best of.csv', imdbCsv, 'best of'],
      ['lists-faces.json', JSON.stringify(traktItems), 'faces'],
    ] as const
    for (const [fileName, content, listName] of files) {
      const importRun = await importFile(adult, fileName, content)
      const lists = (await adult.get(getListPath())).body.results
      const importedList = lists.find((item: { name: string }) => item.name === listName)
      expect([fileName, await listTitleIds(importedList?.list_id ?? 'none')]).toEqual([
        fileName,
        ['3', '1', '2'],
      ])
      expect((await importFile(adult, `again-${fileName}`, content)).changed).toBeLessThanOrEqual(3)
      expect((await adult.get(`/api/profile/${adult.profileId}/watchlist`)).body.total_results).toBe(0)
      if (listName !== 'faces') continue
      await runImportAction(adult, importRun.import_id, 'undo')
      const listNames = (await adult.get(getListPath())).body.results.map(
        (item: { name: string }) => item.name,
      )
      expect(listNames).not.toContain('faces')
    }
  })

  it('an import into a nearly full list adds the first titles of the file until the list is full, and leaves out the remaining titles', async () => {
    const profileId = await household.switchToNewProfile('Full')
    const { adult, server } = household
    const { primary } = server.database
    const title = await primary
      .selectFrom('title')
      .selectAll()
      .where('title_id', '=', 1)
      .executeTakeFirstOrThrow()
    const fillerIds = Array.from({ length: NAMED_LIST_LIMITS.titles - 3 }, (_, index) => 900_000 + index)
    const listId = await createList({ name: 'faces' })
    await setTitlesIncluded(listId, ['2'])
    for (let startIndex = 0; startIndex < fillerIds.length; startIndex += 100) {
      const batch = fillerIds.slice(startIndex, startIndex + 100)
      const fillerRows = batch.map((title_id) => ({
        ...title,
        title_id,
        slug: `filler-${title_id}`,
        imdb_id: null,
        tmdb_id: null,
      }))
      await primary.insertInto('title').values(fillerRows).execute()
      const entries = batch.map((title_id) => ({
        ...{ profile_id: profileId, list_id: listId, title_id },
        ...{ position: title_id, added_at: null },
      }))
      await primary.insertInto('named_list_entry').values(entries).execute()
    }
    const details = await Promise.all(
      ['2', '4', '4', '3', '1'].map(async (id) => (await adult.get(`/api/movies/${id}`)).body),
    )
    // The dates are in the reverse order of the rows. The list must have the order of the rows, not the order of the
    // dates.
    const traktItems = details.map((movie, index) => ({
      rank: index + 1,
      listed_at: `2020-01-${20 - index}T03:04:05.000Z`,
      movie: { title: movie.title, year: movie.year, ids: { trakt: index + 1, imdb: movie.imdb_id } },
    }))
    const content = JSON.stringify(traktItems)
    const importRun = await importFile(adult, 'lists-faces.json', content)
    expect(importRun).toMatchObject({ changed: 2, rows: { total: 5, left_out: 1 } })
    const listAddedIds = async () => {
      const entries = await primary
        .selectFrom('named_list_entry')
        .select('title_id')
        .where('list_id', '=', listId)
        .where('title_id', '<', 900_000)
        .orderBy('position')
        .execute()
      return entries.map(({ title_id }) => title_id)
    }
    expect(await listAddedIds()).toEqual([2, 4, 3])
    expect((await importFile(adult, 'lists-faces.json', content)).changed).toBe(0)
    expect(await listAddedIds()).toEqual([2, 4, 3])
    await primary.deleteFrom('title').where('title_id', '>=', 900_000).execute()
  })

  it('Undo removes the titles that an import added to a list, although the user moved one of these titles', async () => {
    await household.switchToNewProfile('Moved')
    const { adult } = household
    const details = await Promise.all(
      ['1', '2', '3'].map(async (id) => (await adult.get(`/api/movies/${id}`)).body),
    )
    const imdbCsv = `Position,Const,Created,Modified,Description,Title,URL,Title Type
${details.map((movie, index) => `${index + 1},${movie.imdb_id},2020-05-05,2020-05-05,,x,,Movie`).join('\n')}
`
    const importRun = await importFile(adult, 'best of.csv', imdbCsv)
    const [importedList] = await loadOwnLists()
    await setTitlesIncluded(importedList.list_id, ['4'])
    await adult.put(`${getListPath(importedList.list_id)}/order`, {
      title: createTitleRef('3'),
      before: createTitleRef('1'),
    })
    expect(await listTitleIds(importedList.list_id)).toEqual(['3', '1', '2', '4'])
    const undoneImport = await runImportAction(adult, importRun.import_id, 'undo')
    expect(undoneImport).toMatchObject({ status: 'undone', changed: 0 })
    expect(await listTitleIds(importedList.list_id)).toEqual(['4'])
  })

  it('a smart list with an invalid stored filter contains no titles, and other lists stay readable', async () => {
    await household.switchToNewProfile('Old filter')
    const { adult, adultId, server } = household
    const filter = { type: 'movie', query: 'sort=title.asc' }
    const invalidListId = await createList({ name: 'Invalid', filter, shared: true })
    const validListId = await createList({ name: 'Valid', filter })
    for (const listId of [invalidListId, validListId])
      expect((await adult.put(getListPath(listId), { on_home: true })).status).toBe(200)
    await server.database.primary
      .updateTable('named_list')
      .set({ filter_query: 'sort=nothing' })
      .where('list_id', '=', invalidListId)
      .execute()
    const results = await loadOwnLists()
    expect(results).toMatchObject([{ name: 'Invalid', title_count: 0, posters: [] }, { name: 'Valid' }])
    expect(results[1].title_count).toBeGreaterThan(0)
    const homeLists = (await adult.get(`${getListPath()}/home`)).body.results
    expect(homeLists).toMatchObject([{ list_id: validListId }])
    expect((await adult.get(getListPath(invalidListId))).body).toMatchObject({
      total_results: 0,
      results: [],
      list: { filter: { query: 'sort=nothing' } },
    })
    adult.profileId = adultId
    const sharedLists = (await adult.get(getListPath())).body.results
    expect(sharedLists.find((list: { name: string }) => list.name === 'Invalid')).toMatchObject({
      own: false,
    })
  })

  it('importing an export file skips and reports list rows with an invalid filter, description or name', async () => {
    await household.switchToNewProfile('Refused')
    const { adult } = household
    const { title, year, imdb_id } = (await adult.get('/api/movies/3')).body
    const plainListFields = {
      description: '',
      shared: true,
      on_home: true,
      filter_type: null,
      filter_query: null,
    }
    const smartListFields = { ...plainListFields, filter_type: 'movie' }
    const file = {
      format: 'marquee-export',
      version: 1,
      named_list: [
        { ...smartListFields, name: 'Unknown order', filter_query: 'sort=nothing' },
        { ...smartListFields, name: 'Dashboard', filter_query: 'admin=true' },
        { ...plainListFields, name: 'Reversed', description: 'a\u202eb' },
        { ...plainListFields, name: '\u200b' },
        { ...smartListFields, name: 'Smart', filter_query: 'sort=title.asc' },
        { ...plainListFields, name: 'Plain', description: ' two\nlines ' },
      ],
      list_title: [{ type: 'movie', title, year, imdb_id, tmdb_id: null, name: 'Reversed', added_at: null }],
    }
    const importRun = await importFile(adult, 'marquee-export.json', JSON.stringify(file))
    expect(importRun.status).toBe('applied')
    const skipReasons = importRun.list.results.flatMap((row: { outcome: string; why: string }) =>
      row.outcome === 'skipped' ? [row.why] : [],
    )
    expect(skipReasons).toEqual(['bad_row', 'bad_row', 'bad_row', 'bad_row', 'list', 'list'])
    expect(await loadOwnLists()).toMatchObject([
      { name: 'Plain', description: 'two\nlines', shared: true, title_count: 0 },
      // The row of this list in the file is invalid, so its fields are not imported. The import still creates the list,
      // because the file also contains a title of the list.
      { name: 'Reversed', description: '', shared: false, title_count: 1 },
      { name: 'Smart', filter: { query: 'sort=title.asc' } },
    ])
    expect((await adult.get(`${getListPath()}/home`)).body.results).toMatchObject([{ name: 'Smart' }])
  })

  it('exporting lists, importing the file into another profile and exporting the lists again returns the same bytes', async () => {
    await household.switchToNewProfile('Exports')
    const { adult } = household
    const secondListId = await createList({
      name: 'Second, "quoted"',
      description: '=two\nlines',
      shared: true,
    })
    await setTitlesIncluded(secondListId, ['5', '2', '9'])
    await createList({ name: '2024' })
    await createList({ name: 'Smart', filter: { type: 'tv', query: '' } })
    for (const format of ['json', 'csv']) {
      const exportedFile = await exportHistory(adult, format)
      expect(exportedFile).toContain('Second')
      const sourceProfileId = adult.profileId
      await household.switchToNewProfile(`To ${format}`)
      await importFile(adult, `marquee-export.${format}`, exportedFile)
      expect(await exportHistory(adult, format)).toBe(exportedFile)
      expect((await importFile(adult, `marquee-export.${format}`, exportedFile)).changed).toBe(0)
      adult.profileId = sourceProfileId
    }
  })
})
