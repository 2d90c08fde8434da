/** The named lists of the profile, and changes of lists and their titles. */
import { computed } from 'nanostores'
import { type CallInput, callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import type { ListTitleChange, NamedList } from '../contract/lists.ts'
import * as listCalls from '../contract/lists.ts'
import { markListsChanged } from './named-lists-version.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showFailure, showToast } from './toast.ts'
import type { TitleRef } from './watchlist.ts'

/**
 * Title that the request for the lists contains. In the reply, the field `contains` of each list states whether the
 * list contains this title. Null when the lists are displayed without a title.
 */
export const $listedTitle = perProfile<TitleRef | null>(() => null)
export const $namedLists = createReadStore(
  listCalls.listNamedLists,
  computed(
    [$profile, $listedTitle],
    (profile, title): CallInput<typeof listCalls.listNamedLists> | null =>
      profile && {
        params: { id: profile.profile_id },
        ...(title && { query: { type: title.type, media_id: title.id } }),
      },
  ),
)
export const $homeLists = createReadStore(
  listCalls.listHomeLists,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id } }),
)

/** Refetches the named lists, and reloads the open page of a list. */
function reloadLists(): void {
  refetch(listCalls.listNamedLists, listCalls.listHomeLists)
  markListsChanged()
}

export type ListFields = Parameters<typeof requestListChange>[1] & {
  /** Key of a new list. Saving again with the same key never creates a second list. */
  key?: string
}
const buildListParams = (listId: string) => ({ id: $profile.get()?.profile_id ?? '', listId })
const requestListChange = (
  listId: string,
  body: NonNullable<CallInput<typeof listCalls.changeNamedList>['body']>,
): Promise<NamedList> => callApi(listCalls.changeNamedList, { params: buildListParams(listId), body })

/** `taken`: another list has the name. `too_many`: the profile has reached the maximum number of lists. */
export type NamedListError = 'taken' | 'too_many' | 'failed'

function toNamedListError(error: unknown): NamedListError {
  const errorCode = error instanceof ApiError ? error.errors['name']?.[0] : undefined
  return errorCode === 'taken' || errorCode === 'too_many' ? errorCode : 'failed'
}

/** Changes the list with the id, or creates a list when the id is null. */
export async function saveList(
  listId: string | null,
  { key, name = '', ...fields }: ListFields,
): Promise<{ list: NamedList } | { error: NamedListError }> {
  try {
    const savedList =
      listId === null
        ? await callApi(listCalls.createNamedList, {
            params: { id: $profile.get()?.profile_id ?? '' },
            body: { key, name, ...fields },
          })
        : await requestListChange(listId, { name, ...fields })
    return { list: savedList }
  } catch (error) {
    return { error: toNamedListError(error) }
  } finally {
    // After a lost reply, the server may have saved the list.
    reloadLists()
  }
}

/** Deletes a list and offers Undo. Returns false on failure. */
export async function deleteList(listId: string): Promise<boolean> {
  try {
    await ignoreNotFound(callApi(listCalls.deleteNamedList, { params: buildListParams(listId) }))
    showToast('lists:deleted', { undo: () => void restoreList(listId) })
    return true
  } catch (error) {
    showFailure(error)
    return false
  } finally {
    reloadLists()
  }
}

async function restoreList(listId: string): Promise<void> {
  try {
    await callApi(listCalls.restoreNamedList, { params: buildListParams(listId) })
  } catch (error) {
    showFailure(error)
  }
  reloadLists()
}

/** Maximum number of titles in one request (contract/lists.ts). */
const MAX_TITLES_PER_REQUEST = 100

type ListTitle = NonNullable<CallInput<typeof listCalls.changeListTitles>['body']>['titles'][number]

/** Adds titles to a list, or removes titles when `isIncluded` is false. Offers Undo. Returns false on failure. */
export const setTitlesInList = (
  list: Pick<NamedList, 'list_id' | 'name'>,
  titles: readonly TitleRef[],
  isIncluded: boolean,
): Promise<boolean> =>
  changeListTitles(
    list,
    titles.map(({ type, id }) => ({ type, media_id: id, included: isIncluded })),
    isIncluded,
  )

async function changeListTitles(
  list: Pick<NamedList, 'list_id' | 'name'>,
  titles: readonly ListTitle[],
  isIncluded: boolean,
): Promise<boolean> {
  const changes: ListTitleChange[] = []
  try {
    for (let startIndex = 0; startIndex < titles.length; startIndex += MAX_TITLES_PER_REQUEST) {
      const reply = await callApi(listCalls.changeListTitles, {
        params: buildListParams(list.list_id),
        body: { titles: titles.slice(startIndex, startIndex + MAX_TITLES_PER_REQUEST) },
      })
      changes.push(...reply.changes)
    }
    // `changes` contains only the titles that the requests added or removed, so Undo does not change other titles.
    const revertingChanges = changes.map((change) => ({ ...change, included: !isIncluded }))
    showToast(isIncluded ? 'lists:added' : 'lists:removed', {
      values: { list: list.name },
      ...(revertingChanges.length > 0 && {
        undo: () => void changeListTitles(list, revertingChanges, !isIncluded),
      }),
    })
    return true
  } catch (error) {
    showFailure(error)
    return false
  } finally {
    reloadLists()
  }
}

/** Moves a title before another title, or to the end of the list. Returns false on failure. */
export async function moveTitleInList(
  listId: string,
  title: TitleRef,
  nextTitle: TitleRef | null,
): Promise<boolean> {
  const toWireRef = ({ type, id }: TitleRef) => ({ type, media_id: id })
  try {
    await callApi(listCalls.moveListTitle, {
      params: buildListParams(listId),
      body: { title: toWireRef(title), before: nextTitle && toWireRef(nextTitle) },
    })
    return true
  } catch (error) {
    showFailure(error)
    return false
  } finally {
    reloadLists()
  }
}
