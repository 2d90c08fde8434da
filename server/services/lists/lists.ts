/** Named lists of a profile: create, change, delete, restore and read them. Only the owner changes a list. */
import type { ListFilter, NamedList } from '../../../src/lib/contract/lists.ts'
import { countCharacters } from '../../../src/lib/rules/count-characters.ts'
import { validateVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'
import { toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import {
  insertNamedList,
  lockNamedLists,
  selectFirstTitleIds,
  selectListPage,
  selectOwnList,
  selectOwnLists,
  selectReadableLists,
  updateNamedList,
} from '../../queries/named-list.ts'
import type { PageRequest } from '../../queries/page.ts'
import type { TitleType } from '../../queries/title.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { createDerivedId, createRandomId } from '../auth/secret.ts'
import { loadCards, loadCardsById } from '../catalogue/cards.ts'
import { type ProfileContext, requireTitle } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { toPage } from '../page.ts'
import { addCopyNumber, validateListDescription } from './list-text.ts'
import {
  getListReaderIds,
  listSmartListTitles,
  parseListFilter,
  requireReadableList,
  toNamedLists,
} from './list-views.ts'

/** The query of a smart list without filters. It is not empty, because an import reads an empty CSV cell as null. */
const DEFAULT_FILTER_QUERY = 'sort=popularity.desc'

/**
 * Notifies all profiles of the account, because the list may be shared, or may have been shared before the
 * change.
 */
export const publishListChange = ({ deps, caller }: ProfileContext) =>
  publishSharedEvent({ deps, caller }, 'lists')

/**
 * Returns the lists that the profile may read. If a title is given, each list states whether it contains the title.
 * Throws 422 when only the type or only the id of the title is given.
 */
export async function listNamedLists(
  context: ProfileContext,
  { type, media_id }: { type?: TitleType | undefined; media_id?: string | undefined },
): Promise<{ results: NamedList[] }> {
  if ((type === undefined) !== (media_id === undefined))
    throw createFieldProblem(type === undefined ? 'type' : 'media_id', 'needed')
  const title = type && media_id ? await requireTitle(context, { type, mediaId: media_id }) : undefined
  const rows = await selectReadableLists(context.deps.database.primary, getListReaderIds(context))
  return { results: await toNamedLists(context, rows, title?.title_id) }
}

export async function loadNamedList(context: ProfileContext, listId: string, query: PageRequest) {
  const { deps, caller } = context
  const { list } = await requireReadableList(context, listId)
  if (list.filter) {
    const page = await listSmartListTitles(context, list.filter, query)
    const listedTitles = page.results.map((card, index) => ({
      type: card.type,
      media_id: card.id,
      position: (query.page - 1) * query.limit + index + 1,
      added_at: null,
      media: card,
    }))
    return { ...toPage(query, page.total_results ?? 0, listedTitles), list }
  }
  const { rows, total } = await selectListPage(deps.database.primary, caller.audience, listId, query)
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const listedTitles = rows.flatMap((row, index) => {
    const card = cards[index]
    if (!card) return []
    const { position } = row
    return [
      { type: card.type, media_id: card.id, position, added_at: toIsoTimeOrNull(row.added_at), media: card },
    ]
  })
  return { ...toPage(query, total, listedTitles), list }
}

/**
 * Returns the lists that are rows of the home page, with their first titles. Lists without titles are
 * omitted.
 */
export async function loadHomeLists(context: ProfileContext) {
  const { deps, caller } = context
  const rows = (await selectOwnLists(deps.database.primary, caller.profile.profile_id)).filter(
    (row) => row.on_home === 1,
  )
  const titleLimit = NAMED_LIST_LIMITS.homeTitles
  const firstTitleIdsByListId = await selectFirstTitleIds(deps.database.primary, caller.audience, {
    listIds: rows.map((row) => row.list_id),
    limit: titleLimit,
  })
  const titles = await selectTitlesInOrder(deps.database.reader, caller.audience, [
    ...new Set([...firstTitleIdsByListId.values()].flat()),
  ])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const homeLists = await Promise.all(
    rows.map(async ({ list_id, name, filter_type, filter_query }) => ({
      list_id,
      name,
      results: filter_type
        ? (
            await listSmartListTitles(
              context,
              { type: filter_type as TitleType, query: filter_query ?? '' },
              { page: 1, limit: titleLimit },
            )
          ).results
        : (firstTitleIdsByListId.get(list_id) ?? []).flatMap((titleId) => cardsById.get(titleId) ?? []),
    })),
  )
  return { results: homeLists.filter((list) => list.results.length > 0) }
}

interface ListFields {
  name?: string | undefined
  description?: string | undefined
  shared?: boolean | undefined
  on_home?: boolean | undefined
  filter?: ListFilter | undefined
}

/**
 * Creates a list. If an earlier call has created a list with the same key, changes that list instead, and restores it
 * if it is in the bin. Throws 422 for an invalid field, and when the profile has too many lists or already has another
 * list with this name.
 */
export async function createNamedList(
  context: ProfileContext,
  { key, name, ...listFields }: ListFields & { key?: string | undefined; name: string },
): Promise<NamedList> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const listId = key === undefined ? createRandomId() : createDerivedId([profileId, key])
  const listColumns = toListColumns(listFields)
  const validName = requireValidListName(name)
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockNamedLists(trx, profileId)
    const row = await selectOwnList(trx, profileId, listId)
    const isExistingList = row?.deleted_at === null
    if (!isExistingList || row.name !== validName) await requireFreeName(trx, profileId, validName)
    if (!isExistingList) await requireRoomForList(trx, profileId)
    if (row) {
      const changedColumns = { ...listColumns, name: validName, deleted_at: null, updated_at: deps.now() }
      await updateNamedList(trx, listId, changedColumns)
      return
    }
    await insertNamedList(trx, {
      list_id: listId,
      profile_id: profileId,
      name: validName,
      description: '',
      shared: 0,
      on_home: 0,
      filter_type: null,
      filter_query: null,
      import_id: null,
      created_at: deps.now(),
      updated_at: deps.now(),
      deleted_at: null,
      ...listColumns,
    })
  })
  publishListChange(context)
  return (await requireReadableList(context, listId)).list
}

export async function changeNamedList(
  context: ProfileContext,
  listId: string,
  { name, ...listFields }: ListFields,
): Promise<NamedList> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  const changedColumns = {
    ...toListColumns(listFields),
    ...(name !== undefined && { name: requireValidListName(name) }),
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    const row = await requireOwnList(trx, context, listId)
    if (changedColumns.filter_type && row.filter_type === null)
      throw createFieldProblem('filter', 'not_smart')
    if (changedColumns.name !== undefined && changedColumns.name !== row.name)
      await requireFreeName(trx, profileId, changedColumns.name)
    await updateNamedList(trx, listId, { ...changedColumns, updated_at: deps.now() })
  })
  publishListChange(context)
  return (await requireReadableList(context, listId)).list
}

/** Moves a list to the bin. Throws 404 unless the profile owns the list. */
export async function deleteNamedList(context: ProfileContext, listId: string): Promise<void> {
  const { deps } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await requireOwnList(trx, context, listId)
    await updateNamedList(trx, listId, { deleted_at: deps.now() })
  })
  publishListChange(context)
}

/**
 * Restores a deleted list. A number is added to its name when another list of the profile has the same name. Throws
 * 404 unless the profile owns the list, and 422 when the profile has too many lists.
 */
export async function restoreNamedList(context: ProfileContext, listId: string): Promise<NamedList> {
  const { deps, caller } = context
  const profileId = caller.profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockNamedLists(trx, profileId)
    const row = await selectOwnList(trx, profileId, listId)
    if (!row) throw new Problem('not_found')
    if (row.deleted_at === null) return
    await requireRoomForList(trx, profileId)
    const takenNames = new Set((await selectOwnLists(trx, profileId)).map((list) => list.name))
    let name = row.name
    for (let copyNumber = 2; takenNames.has(name); copyNumber++) name = addCopyNumber(row.name, copyNumber)
    await updateNamedList(trx, listId, { deleted_at: null, name })
  })
  publishListChange(context)
  return (await requireReadableList(context, listId)).list
}

/**
 * Locks the lists of the profile and returns the list with this id. Throws 404 if the profile does not own the
 * list or the list is in the bin.
 */
export async function requireOwnList(trx: Db, { caller }: ProfileContext, listId: string) {
  await lockNamedLists(trx, caller.profile.profile_id)
  const row = await selectOwnList(trx, caller.profile.profile_id, listId)
  if (!row || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

async function requireFreeName(trx: Db, profileId: string, name: string): Promise<void> {
  const lists = await selectOwnLists(trx, profileId)
  if (lists.some((list) => list.name === name)) throw createFieldProblem('name', 'taken')
}

async function requireRoomForList(trx: Db, profileId: string): Promise<void> {
  const lists = await selectOwnLists(trx, profileId)
  if (lists.length >= NAMED_LIST_LIMITS.lists) throw createFieldProblem('name', 'too_many')
}

function requireValidListName(requestedName: string): string {
  const nameResult = validateVisibleText(requestedName)
  if ('error' in nameResult) throw createFieldProblem('name', nameResult.error)
  if (countCharacters(nameResult.text) > NAMED_LIST_LIMITS.nameLength)
    throw createFieldProblem('name', 'too_long')
  return nameResult.text
}

function toListColumns({ description, shared, on_home, filter }: ListFields) {
  if (filter && !parseListFilter(filter)) throw createFieldProblem('filter', 'invalid')
  const validatedDescription = description === undefined ? undefined : validateListDescription(description)
  if (validatedDescription && 'error' in validatedDescription)
    throw createFieldProblem('description', validatedDescription.error)
  return {
    ...(validatedDescription && { description: validatedDescription.text }),
    ...(shared !== undefined && { shared: shared ? 1 : 0 }),
    ...(on_home !== undefined && { on_home: on_home ? 1 : 0 }),
    ...(filter && { filter_type: filter.type, filter_query: filter.query || DEFAULT_FILTER_QUERY }),
  }
}
