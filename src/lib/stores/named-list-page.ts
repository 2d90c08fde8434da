/** The page of a named list. Loads the titles of the list in several requests while the user scrolls. */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { NamedList, NamedListItem } from '../contract/lists.ts'
import * as listCalls from '../contract/lists.ts'
import { moveInList } from './named-lists.ts'
import { $namedListsVersion } from './named-lists-version.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion } from './query.ts'
import { showToast } from './toast.ts'

interface NamedListPageState {
  list: NamedList | null
  items: readonly NamedListItem[]
  total: number | null
  loading: boolean
  error: ApiError | null
}

const PAGE_SIZE = 100
const EMPTY_LIST_PAGE: NamedListPageState = {
  list: null,
  items: [],
  total: null,
  loading: false,
  error: null,
}

export const $openListId = perProfile<string>(() => '')
export const $namedListPage = perProfile<NamedListPageState>(() => EMPTY_LIST_PAGE)

/**
 * Opens a list, or closes the open list if the id is empty. If the list is open already, reloads it; its titles stay
 * visible meanwhile.
 */
export function openNamedList(listId: string): void {
  if ($openListId.get() === listId) {
    reloadOpenList()
    return
  }
  $openListId.set(listId)
  $namedListPage.set(EMPTY_LIST_PAGE)
  if (listId) void loadMoreListTitles()
}

const fetchPage = (listId: string, page: number, limit = PAGE_SIZE) =>
  callApi(listCalls.getNamedList, {
    params: { id: $profile.get()?.profile_id ?? '', listId },
    query: { page, limit },
  })

const getItemKey = ({ type, media_id }: NamedListItem) => `${type}/${media_id}`
/** Removes duplicates, which occur when the list changes between the requests for two pages. */
const removeDuplicates = (items: readonly NamedListItem[]) => [
  ...new Map(items.map((item) => [getItemKey(item), item])).values(),
]

export async function loadMoreListTitles(): Promise<void> {
  const listId = $openListId.get()
  const previousPage = $namedListPage.get()
  if (previousPage.loading || !listId || !$profile.get()) return
  $namedListPage.set({ ...previousPage, loading: true, error: null })
  try {
    const reply = await fetchPage(listId, Math.floor(previousPage.items.length / PAGE_SIZE) + 1)
    if (listId !== $openListId.get()) return
    $namedListPage.set({
      list: reply.list,
      items: removeDuplicates([...$namedListPage.get().items, ...reply.results]),
      total: reply.total_results,
      loading: false,
      error: null,
    })
  } catch (error) {
    if (listId === $openListId.get())
      $namedListPage.set({ ...$namedListPage.get(), loading: false, error: error as ApiError })
  }
}

/** Reloads the displayed pages. The old titles stay visible meanwhile. */
async function reloadListTitles(): Promise<void> {
  const listId = $openListId.get()
  const listsVersion = $namedListsVersion.get()
  if (!listId || $namedListPage.get().total === null) return
  try {
    const items: NamedListItem[] = []
    const pageCount = Math.max(1, Math.ceil($namedListPage.get().items.length / PAGE_SIZE))
    for (let page = 1; page <= pageCount; page++) {
      const reply = await fetchPage(listId, page)
      // Another list was opened, or the list has changed again. Either event loads the titles itself.
      if (listId !== $openListId.get() || listsVersion !== $namedListsVersion.get()) return
      items.push(...reply.results)
      const { list, total_results: total } = reply
      $namedListPage.set({ ...$namedListPage.get(), list, total, error: null })
    }
    $namedListPage.set({ ...$namedListPage.get(), items: removeDuplicates(items) })
  } catch (error) {
    const status = (error as Partial<ApiError>).status
    if (listId === $openListId.get() && status === 404)
      $namedListPage.set({ ...EMPTY_LIST_PAGE, error: error as ApiError })
  }
}
function reloadOpenList(): void {
  if ($namedListPage.get().total === null) void loadMoreListTitles()
  else void reloadListTitles()
}
$viewingsVersion.listen((version) => {
  const { list, error } = $namedListPage.get()
  // Viewings change the titles of a list that hides seen titles. `$viewingsVersion` also increases when the connection
  // returns, so a list that could not be loaded is requested again.
  const hidesSeenTitles = list?.filter?.query.includes('hide-seen') ?? false
  if (version > 0 && $namedListPage.lc > 0 && (hidesSeenTitles || error)) reloadOpenList()
})
$namedListsVersion.listen((version) => {
  // Version 0 is the initial value after a profile was selected.
  if (version > 0) void reloadListTitles()
})

/** Moves the title at an index to another index. The new order is displayed immediately and reverted if it fails. */
export async function moveListItem(fromIndex: number, toIndex: number): Promise<void> {
  const page = $namedListPage.get()
  const movedItem = page.items[fromIndex]
  if (!movedItem || fromIndex === toIndex || toIndex < 0 || toIndex >= page.items.length) return
  const items = page.items.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, movedItem)
  $namedListPage.set({ ...page, items })
  const listId = $openListId.get()
  const toTitleRef = ({ type, media_id }: NamedListItem) => ({ type, id: media_id })
  // The API needs the title that follows the moved title. If the moved title is now the last loaded title, but the list
  // is longer, the following title is not loaded yet and is requested here.
  const isBeforeUnloaded = toIndex === items.length - 1 && items.length < (page.total ?? 0)
  const nextItem = isBeforeUnloaded
    ? await fetchItem(listId, items.length).catch(() => undefined)
    : (items[toIndex + 1] ?? null)
  if (nextItem === undefined) showToast('errors:failed', { kind: 'bad' })
  const hasSucceeded =
    nextItem !== undefined &&
    (await moveInList(listId, toTitleRef(movedItem), nextItem && toTitleRef(nextItem)))
  if (!hasSucceeded && listId === $openListId.get())
    $namedListPage.set({ ...$namedListPage.get(), items: page.items })
}

/** Returns the title at an index of a list; null if the list has become shorter. */
async function fetchItem(listId: string, index: number): Promise<NamedListItem | null> {
  const reply = await fetchPage(listId, index + 1, 1)
  return reply.results[0] ?? null
}
