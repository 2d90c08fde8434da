/** The page of a named list. Loads the titles of the list in several requests while the user scrolls. */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { NamedList, NamedListItem } from '../contract/lists.ts'
import * as listCalls from '../contract/lists.ts'
import { appendPage } from '../rules/list-pages.ts'
import { moveTitleInList } from './named-lists.ts'
import { $namedListsVersion } from './named-lists-version.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion } from './query.ts'
import { showFailure } from './toast.ts'

interface NamedListPageState {
  list: NamedList | null
  items: readonly NamedListItem[]
  total: number | null
  hasMore: boolean
  loading: boolean
  error: ApiError | null
}

const PAGE_SIZE = 100
const EMPTY_LIST_PAGE: NamedListPageState = {
  list: null,
  items: [],
  total: null,
  hasMore: false,
  loading: false,
  error: null,
}

export const $openListId = perProfile<string>(() => '')
export const $namedListPage = perProfile<NamedListPageState>(() => EMPTY_LIST_PAGE)
/** Incremented by each load and each local change, so that the reply of an earlier load is ignored. */
const $requestNumber = perProfile<number>(() => 0)

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
  showAndSupersedeLoads(EMPTY_LIST_PAGE)
  if (listId) void reloadListTitles()
}

/**
 * Shows `state`. Earlier loads are then outdated, and their replies are ignored. Returns a function that returns true
 * until the next call of `showAndSupersedeLoads`, so that a load can check whether its reply is still needed.
 */
function showAndSupersedeLoads(state: NamedListPageState): () => boolean {
  const requestNumber = $requestNumber.get() + 1
  $requestNumber.set(requestNumber)
  $namedListPage.set(state)
  return () => requestNumber === $requestNumber.get()
}

const fetchPage = (listId: string, page: number, limit = PAGE_SIZE) =>
  callApi(listCalls.getNamedList, {
    params: { id: $profile.get()?.profile_id ?? '', listId },
    query: { page, limit },
    // A shared request could return the reply to a superseded load, which may be older than the latest change.
    isRequestShared: false,
  })

const getItemKey = ({ type, media_id }: NamedListItem) => `${type}/${media_id}`
function addPage(
  loadedItems: readonly NamedListItem[],
  page: number,
  { list, results, total_results: total }: Awaited<ReturnType<typeof fetchPage>>,
): NamedListPageState {
  const loadedPage = appendPage(loadedItems, { page, pageSize: PAGE_SIZE, results, total }, getItemKey)
  return { list, ...loadedPage, total, loading: false, error: null }
}

/** Loads the next page of titles, or the first page. Does nothing while a load is in progress. */
export async function loadMoreListTitles(): Promise<void> {
  const listId = $openListId.get()
  const previousPage = $namedListPage.get()
  if (previousPage.loading || !listId || !$profile.get()) return
  if (previousPage.total === null) return reloadListTitles()
  const isCurrent = showAndSupersedeLoads({ ...previousPage, loading: true, error: null })
  try {
    const page = Math.floor(previousPage.items.length / PAGE_SIZE) + 1
    const reply = await fetchPage(listId, page)
    if (!isCurrent()) return
    const listPage = addPage($namedListPage.get().items, page, reply)
    $namedListPage.set(listPage)
    // If titles were added in front of the list meanwhile, none of the loaded pages contains them. The list is then
    // reloaded.
    if (!listPage.hasMore && listPage.items.length < (listPage.total ?? 0)) await reloadListTitles(page)
  } catch (error) {
    if (isCurrent()) $namedListPage.set({ ...$namedListPage.get(), loading: false, error: error as ApiError })
  }
}

/**
 * Reloads the displayed pages, or loads the first page. Supersedes a load in progress, because its reply may not
 * contain the change after which this function is called. The old titles stay visible meanwhile.
 */
async function reloadListTitles(minPageCount = 1): Promise<void> {
  const listId = $openListId.get()
  if (!listId || !$profile.get()) return
  const previousPage = $namedListPage.get()
  const previousError = previousPage.total === null ? null : previousPage.error
  const isCurrent = showAndSupersedeLoads({ ...previousPage, loading: true, error: previousError })
  try {
    const pageCount = Math.max(minPageCount, Math.ceil(previousPage.items.length / PAGE_SIZE))
    let listPage = EMPTY_LIST_PAGE
    let page = 0
    do {
      page += 1
      const reply = await fetchPage(listId, page)
      if (!isCurrent()) return
      listPage = addPage(listPage.items, page, reply)
    } while (page < pageCount && listPage.hasMore)
    $namedListPage.set(listPage)
  } catch (error) {
    if (!isCurrent()) return
    const isDeleted = (error as Partial<ApiError>).status === 404
    if (isDeleted || previousPage.total === null)
      $namedListPage.set({ ...EMPTY_LIST_PAGE, error: error as ApiError })
    else $namedListPage.set({ ...$namedListPage.get(), loading: false })
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
  const { total, loading } = $namedListPage.get()
  // Version 0 is the initial value after a profile was selected. A list that could not be loaded shows no titles, so it
  // has nothing to reload.
  if (version > 0 && (total !== null || loading)) void reloadListTitles()
})

/** Moves the title at an index to another index. The new order is displayed immediately; a failed move is reverted. */
export async function moveListItem(fromIndex: number, toIndex: number): Promise<void> {
  const page = $namedListPage.get()
  const movedItem = page.items[fromIndex]
  if (!movedItem || fromIndex === toIndex || toIndex < 0 || toIndex >= page.items.length) return
  const items = page.items.toSpliced(fromIndex, 1).toSpliced(toIndex, 0, movedItem)
  // A load in progress would bring back the previous order. The list is reloaded after the move.
  const isCurrent = showAndSupersedeLoads({ ...page, items, loading: false })
  const listId = $openListId.get()
  const toTitleRef = ({ type, media_id }: NamedListItem) => ({ type, id: media_id })
  // The API needs the title that follows the moved title. If the moved title becomes the last loaded title, but the
  // list contains further titles, the following title is requested here.
  const isFollowingTitleUnloaded = toIndex === items.length - 1 && items.length < (page.total ?? 0)
  const nextItem = isFollowingTitleUnloaded
    ? await fetchItem(listId, items.length).catch(showFailure)
    : (items[toIndex + 1] ?? null)
  const hasSucceeded =
    nextItem !== undefined &&
    (await moveTitleInList(listId, toTitleRef(movedItem), nextItem && toTitleRef(nextItem)))
  if (hasSucceeded || listId !== $openListId.get()) return
  if (isCurrent()) $namedListPage.set({ ...$namedListPage.get(), items: page.items })
  if (page.loading || !isCurrent()) void reloadListTitles()
}

/** Returns the title at an index of a list; null if the list has become shorter. */
async function fetchItem(listId: string, index: number): Promise<NamedListItem | null> {
  const reply = await fetchPage(listId, index + 1, 1)
  return reply.results[0] ?? null
}
