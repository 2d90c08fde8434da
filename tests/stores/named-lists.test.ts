/** Named lists and the page of a list. */
import { beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../support/store-environment.ts'
import { importFurtherTitles } from '../support/store-titles.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles, server } =
  await signInHousehold()
const { $homeLists, $listedTitle, $namedLists, deleteList, moveTitleInList, saveList, setTitlesInList } =
  await import('../../src/lib/stores/named-lists.ts')
const { $namedListPage, loadMoreListTitles, moveListItem, openNamedList } = await import(
  '../../src/lib/stores/named-list-page.ts'
)
const { markListsChanged } = await import('../../src/lib/stores/named-lists-version.ts')
const { markViewingsChanged } = await import('../../src/lib/stores/query.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const kites = getCard('Paper Kites')
const verdict = getCard('Cold Verdict')
const listsPath = `/api/profile/${profiles.adult}/lists`
$namedLists.listen(() => {})
$homeLists.listen(() => {})

let listNumber = 0
async function createList(fields: object = {}) {
  listNumber += 1
  const saveResult = await saveList(null, { name: `List ${listNumber}`, ...fields })
  if ('error' in saveResult) throw new Error(saveResult.error)
  return saveResult.list
}
const listTitles = () => $namedListPage.get().items.map(({ media }) => media.title)
const openListPage = async (listId: string) => {
  openNamedList(listId)
  await network.waitUntilIdle()
}

/** Holds the next reply with a page of the list. Later changes on the server make the held reply outdated. */
const holdNextListReply = (listId: string) => network.hold(new RegExp(`GET .*lists/${listId}\\?`), 'reply', 1)
async function openListWithTwoTitles() {
  const list = await createList()
  const { list_id: listId } = list
  await setTitlesInList(list, [kites, verdict], true)
  await openListPage(listId)
  const removeVerdict = () =>
    otherDevice.put(`${listsPath}/${listId}/titles`, {
      titles: [{ type: 'movie', media_id: verdict.id, included: false }],
    })
  return { listId, removeVerdict }
}

beforeEach(() => actAs('adult'))

describe('named lists', () => {
  it('a created list is listed, and a name that another list has is rejected', async () => {
    const list = await createList({ description: 'Text', shared: true, on_home: true })
    expect(list).toMatchObject({ own: true, shared: true, on_home: true, description: 'Text' })
    await network.waitUntilIdle()
    expect($namedLists.get().data?.results.map(({ list_id }) => list_id)).toContain(list.list_id)
    expect(await saveList(null, { name: list.name })).toEqual({ error: 'taken' })
    network.failNext(/PUT/, 500)
    expect(await saveList(list.list_id, { name: 'Other' })).toEqual({ error: 'failed' })
  })

  it('when the reply to the creation of a list was lost, saving the list again creates no second list, even under another name', async () => {
    const listNames = async () => {
      await network.waitUntilIdle()
      return $namedLists.get().data?.results.map(({ name }) => name) ?? []
    }
    const namesBefore = await listNames()
    const fields = { key: 'lost-reply', name: 'Lost reply', on_home: true }
    network.loseNextReply(/POST .*lists/)
    expect(await saveList(null, fields)).toEqual({ error: 'failed' })
    expect((await listNames()).toSorted()).toEqual([...namesBefore, 'Lost reply'].toSorted())
    expect(await saveList(null, fields)).toMatchObject({ list: { name: 'Lost reply', on_home: true } })
    await saveList(null, { ...fields, name: 'Found reply' })
    expect((await listNames()).toSorted()).toEqual([...namesBefore, 'Found reply'].toSorted())
  })

  it('adding a title to a list can be reverted with Undo', async () => {
    const list = await createList({ on_home: true })
    $listedTitle.set(kites)
    expect(await setTitlesInList(list, [kites], true)).toBe(true)
    await network.waitUntilIdle()
    const findList = () => $namedLists.get().data?.results.find(({ list_id }) => list_id === list.list_id)
    expect(findList()).toMatchObject({ contains: true, title_count: 1 })
    expect($homeLists.get().data?.results.map((homeList) => homeList.list_id)).toContain(list.list_id)
    expect($toast.get()).toMatchObject({ key: 'lists:added', values: { list: list.name } })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(findList()).toMatchObject({ contains: false, title_count: 0 })
    network.failNext(/PUT/, 422)
    expect(await setTitlesInList(list, [kites], true)).toBe(false)
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
  })

  it('Undo of an addition keeps the titles that were in the list before', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    await openListPage(list.list_id)
    const { items } = $namedListPage.get()
    await setTitlesInList(list, [verdict, kites], true)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($namedListPage.get().items).toEqual(items)
    await setTitlesInList(list, [kites], true)
    expect($toast.get()).toMatchObject({ key: 'lists:added' })
    expect($toast.get()?.undo).toBeUndefined()
  })

  it('Undo of a removal does not add titles that were absent before', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    await openListPage(list.list_id)
    await setTitlesInList(list, [verdict, kites], false)
    await network.waitUntilIdle()
    expect(listTitles()).toEqual([])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Paper Kites'])
  })

  it('deleting a list can be reverted with Undo', async () => {
    const list = await createList()
    await deleteList(list.list_id)
    expect((await otherDevice.get(`${listsPath}/${list.list_id}`)).status).toBe(404)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect((await otherDevice.get(`${listsPath}/${list.list_id}`)).status).toBe(200)
  })
})

describe('the page of a list', () => {
  it('a new order is shown immediately, and a rejected order is reverted', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites, verdict], true)
    await openListPage(list.list_id)
    expect(listTitles()).toEqual(['Paper Kites', 'Cold Verdict'])
    const releaseRequest = network.hold(/PUT/)
    const movePromise = moveListItem(1, 0)
    expect(listTitles()).toEqual(['Cold Verdict', 'Paper Kites'])
    releaseRequest()
    await movePromise
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Cold Verdict', 'Paper Kites'])
    network.failNext(/PUT/, 422)
    await moveListItem(0, 1)
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Cold Verdict', 'Paper Kites'])
  })

  it('in a list that is only partly loaded, a title that is dropped on the last loaded title takes the place of that title', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites, verdict, getCard('Night Harbour'), getCard('Iron Ledger')], true)
    await openListPage(list.list_id)
    const page = $namedListPage.get()
    const showFirstThree = () => $namedListPage.set({ ...page, items: page.items.slice(0, 3) })
    showFirstThree()
    await moveListItem(0, 2)
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Cold Verdict', 'Night Harbour', 'Paper Kites', 'Iron Ledger'])
    await moveTitleInList(list.list_id, kites, verdict)
    await network.waitUntilIdle()
    showFirstThree()
    network.failNext(/GET.*limit=1$/, 500)
    await moveListItem(0, 2)
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'errors:failed', kind: 'bad' })
    expect(listTitles()).toEqual(['Paper Kites', 'Cold Verdict', 'Night Harbour'])
  })

  it('a change on another device reloads the list, and a deleted list is shown as an error', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    await openListPage(list.list_id)
    await otherDevice.put(`${listsPath}/${list.list_id}/titles`, {
      titles: [{ type: 'movie', media_id: verdict.id, included: true }],
    })
    markListsChanged()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Paper Kites', 'Cold Verdict'])
    await otherDevice.delete(`${listsPath}/${list.list_id}`)
    markListsChanged()
    await network.waitUntilIdle()
    expect($namedListPage.get()).toMatchObject({ list: null, error: { status: 404 } })
    await loadMoreListTitles()
    expect($namedListPage.get().error).toMatchObject({ status: 404 })
  })

  it('if loading a list failed, opening the list again sends a new request', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    network.failNext(new RegExp(`lists/${list.list_id}\\?`), 500)
    await openListPage(list.list_id)
    expect($namedListPage.get()).toMatchObject({ total: null, error: { status: 500 } })
    await openListPage(list.list_id)
    expect($namedListPage.get()).toMatchObject({ total: 1, error: null })
  })

  it('a list that is opened again shows its titles while it is reloaded', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    await openListPage(list.list_id)
    await otherDevice.put(`${listsPath}/${list.list_id}/titles`, {
      titles: [{ type: 'movie', media_id: verdict.id, included: true }],
    })
    openNamedList(list.list_id)
    expect(listTitles()).toEqual(['Paper Kites'])
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Paper Kites', 'Cold Verdict'])
  })

  it('if loading the displayed list failed, the list is requested again after a change of the viewings', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites], true)
    const stopDisplaying = $namedListPage.listen(() => {})
    network.failNext(new RegExp(`lists/${list.list_id}\\?`), 500)
    await openListPage(list.list_id)
    markViewingsChanged()
    await network.waitUntilIdle()
    expect($namedListPage.get()).toMatchObject({ total: 1, error: null })
    stopDisplaying()
  })

  it('the reply of an earlier reload does not replace the titles of a later reload', async () => {
    const { listId, removeVerdict } = await openListWithTwoTitles()
    const releaseReply = holdNextListReply(listId)
    await openListPage(listId)
    await removeVerdict()
    await openListPage(listId)
    releaseReply()
    await network.waitUntilIdle()
    expect($namedListPage.get()).toMatchObject({ total: 1, loading: false })
    expect(listTitles()).toEqual(['Paper Kites'])
  })

  it('after a list was closed and opened again, a reply that was requested before the list was closed does not bring back a removed title', async () => {
    const { listId, removeVerdict } = await openListWithTwoTitles()
    openNamedList('')
    const releaseReply = holdNextListReply(listId)
    await openListPage(listId)
    openNamedList('')
    await removeVerdict()
    await openListPage(listId)
    releaseReply()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Paper Kites'])
  })

  it('if a list changes while its first page is loading, the first page is requested again', async () => {
    const { listId, removeVerdict } = await openListWithTwoTitles()
    openNamedList('')
    const releaseReply = holdNextListReply(listId)
    await openListPage(listId)
    await removeVerdict()
    markListsChanged()
    await network.waitUntilIdle()
    releaseReply()
    await network.waitUntilIdle()
    expect($namedListPage.get()).toMatchObject({ total: 1, loading: false })
    expect(listTitles()).toEqual(['Paper Kites'])
  })

  it('further titles that were requested before a reload are not appended to the reloaded list', async () => {
    const { listId, removeVerdict } = await openListWithTwoTitles()
    const page = $namedListPage.get()
    $namedListPage.set({ ...page, items: page.items.slice(0, 1) })
    const releaseReply = holdNextListReply(listId)
    void loadMoreListTitles()
    await network.waitUntilIdle()
    await removeVerdict()
    markListsChanged()
    await network.waitUntilIdle()
    releaseReply()
    await network.waitUntilIdle()
    expect($namedListPage.get()).toMatchObject({ total: 1, loading: false })
    expect(listTitles()).toEqual(['Paper Kites'])
  })

  it('when a title is added at the start of a smart list between two page loads, the title is shown, and no page is offered after the last page', async () => {
    const createMovie = (index: number) => ({
      type: 'movie' as const,
      name: `Old Story ${index}`,
      year: 1950,
    })
    await importFurtherTitles(
      server.deps,
      Array.from({ length: 101 }, (_, index) => createMovie(index)),
    )
    const list = await createList({
      filter: { type: 'movie', query: 'release-year=1950&sort=title.asc' },
    })
    await openListPage(list.list_id)
    const [firstItem] = $namedListPage.get().items
    const setPublished = (published: boolean) =>
      otherDevice.patch(`/api/movies/${firstItem?.media_id}/publish`, { published })
    await setPublished(false)
    await openListPage(list.list_id)
    expect($namedListPage.get()).toMatchObject({ total: 100, hasMore: false })
    await importFurtherTitles(server.deps, [createMovie(101)])
    await openListPage(list.list_id)
    expect($namedListPage.get()).toMatchObject({ total: 101, hasMore: true })
    await setPublished(true)
    await loadMoreListTitles()
    expect($namedListPage.get()).toMatchObject({ total: 102, hasMore: false })
    expect(new Set(listTitles()).size).toBe(102)
    expect(listTitles()[0]).toBe(firstItem?.media.title)
  })

  it('if a title is moved while the list is reloading, the reply to the reload does not bring back the previous order', async () => {
    const { listId } = await openListWithTwoTitles()
    const releaseReply = holdNextListReply(listId)
    await openListPage(listId)
    const releaseMove = network.hold(/PUT/)
    const movePromise = moveListItem(1, 0)
    releaseReply()
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Cold Verdict', 'Paper Kites'])
    releaseMove()
    await movePromise
    await network.waitUntilIdle()
    expect($namedListPage.get().loading).toBe(false)
    expect(listTitles()).toEqual(['Cold Verdict', 'Paper Kites'])
  })

  it('Undo puts a removed title back at its previous position', async () => {
    const list = await createList()
    await setTitlesInList(list, [kites, verdict], true)
    await openListPage(list.list_id)
    const { items } = $namedListPage.get()
    await setTitlesInList(list, [kites], false)
    await network.waitUntilIdle()
    expect(listTitles()).toEqual(['Cold Verdict'])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($namedListPage.get().items).toEqual(items)
    expect(await moveTitleInList(list.list_id, kites, null)).toBe(true)
  })
})

it('the lists of the adult are not shown to a kids profile', async () => {
  const list = await createList()
  await setTitlesInList(list, [kites], true)
  await openListPage(list.list_id)
  await switchTo('kid')
  await network.waitUntilIdle()
  expect($namedListPage.get()).toMatchObject({ list: null, items: [] })
  expect($namedLists.get().data?.results.map(({ list_id }) => list_id) ?? []).not.toContain(list.list_id)
  expect(findAdultRequests()).toEqual([])
})
