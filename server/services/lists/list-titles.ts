/** The titles of a named list and their order. */
import type { ListTitleChange, NamedList } from '../../../src/lib/contract/lists.ts'
import { NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'
import { toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import {
  deleteListEntry,
  insertListEntry,
  selectEntryCountAndLastPosition,
  selectListPosition,
  shiftListEntries,
  updateListPosition,
  updateNamedList,
} from '../../queries/named-list.ts'
import { selectTitlesByIds, type TitleType } from '../../queries/title.ts'
import { parseId } from '../catalogue/titles.ts'
import { type ProfileContext, requireTitle } from '../context.ts'
import { requireReadableList } from './list-views.ts'
import { publishListChange, requireOwnList } from './lists.ts'

interface ListTitleRef {
  type: TitleType
  media_id: string
}
interface RequestedListTitleChange extends ListTitleRef {
  included: boolean
  position?: number | undefined
  added_at?: string | null | undefined
}

/**
 * Adds titles to a list, or removes titles. Returns the list and the changes that were made. A requested change is
 * omitted if it changed nothing. Throws 404 when the profile does not own the list or may not see one of the titles.
 * Throws 422 for a smart list, and when the list would have too many titles. After an error, nothing is changed.
 */
export async function changeListTitles(
  context: ProfileContext,
  listId: string,
  changes: RequestedListTitleChange[],
): Promise<NamedList & { changes: ListTitleChange[] }> {
  const { deps, caller } = context
  const nowMs = deps.now()
  const titleIds = changes.map((change) => parseId(change.media_id))
  const titles = await selectTitlesByIds(deps.database.reader, caller.audience, titleIds)
  const titleKeys = new Set(titles.map((title) => `${title.type}/${title.title_id}`))
  if (changes.some((change, index) => !titleKeys.has(`${change.type}/${titleIds[index]}`)))
    throw new Problem('not_found')
  const appliedChanges = await deps.database.primary.transaction().execute(async (trx) => {
    const transactionChanges: ListTitleChange[] = []
    await requireChangeableList(trx, context, listId)
    let { lastPosition } = await selectEntryCountAndLastPosition(trx, listId)
    for (const [index, { type, media_id, included, position, added_at }] of changes.entries()) {
      const titleId = titleIds[index] ?? 0
      const recordChange = (entry: { position: number; added_at: number | null }) =>
        transactionChanges.push({
          type,
          media_id,
          included,
          position: entry.position,
          added_at: toIsoTimeOrNull(entry.added_at),
        })
      if (!included) {
        const deletedEntry = await deleteListEntry(trx, listId, titleId)
        if (deletedEntry) recordChange(deletedEntry)
        continue
      }
      lastPosition = Math.max(lastPosition, position ?? lastPosition + 1)
      const originalAddedAtMs = added_at ? Math.min(nowMs, Date.parse(added_at)) : null
      const entry = {
        position: position ?? lastPosition,
        added_at: added_at === undefined ? nowMs : originalAddedAtMs,
      }
      const entryRef = { profile_id: caller.profile.profile_id, list_id: listId, title_id: titleId }
      if (await insertListEntry(trx, { ...entryRef, ...entry })) recordChange(entry)
    }
    if ((await selectEntryCountAndLastPosition(trx, listId)).entryCount > NAMED_LIST_LIMITS.titles)
      throw createFieldProblem('titles', 'too_many')
    await updateNamedList(trx, listId, { updated_at: nowMs })
    return transactionChanges
  })
  publishListChange(context)
  return { ...(await requireReadableList(context, listId)).list, changes: appliedChanges }
}

/**
 * Moves a title in front of another title, or to the end. Throws 404 when the profile does not own the list or
 * the list lacks one of the titles, and 422 for a smart list.
 */
export async function moveListTitle(
  context: ProfileContext,
  listId: string,
  { title, before: nextTitle }: { title: ListTitleRef; before: ListTitleRef | null },
): Promise<NamedList> {
  const { deps } = context
  const movedTitleId = await requireTitleId(context, title)
  const nextTitleId = nextTitle && (await requireTitleId(context, nextTitle))
  await deps.database.primary.transaction().execute(async (trx) => {
    await requireChangeableList(trx, context, listId)
    if ((await selectListPosition(trx, listId, movedTitleId)) === undefined) throw new Problem('not_found')
    if (nextTitleId === movedTitleId) return
    let position = (await selectEntryCountAndLastPosition(trx, listId)).lastPosition + 1
    if (nextTitleId !== null) {
      const nextPosition = await selectListPosition(trx, listId, nextTitleId)
      if (nextPosition === undefined) throw new Problem('not_found')
      position = nextPosition
      await shiftListEntries(trx, listId, position)
    }
    await updateListPosition(trx, listId, movedTitleId, position)
    await updateNamedList(trx, listId, { updated_at: deps.now() })
  })
  publishListChange(context)
  return (await requireReadableList(context, listId)).list
}

const requireTitleId = async (context: ProfileContext, { type, media_id }: ListTitleRef): Promise<number> =>
  (await requireTitle(context, { type, mediaId: media_id })).title_id

/**
 * Throws 404 unless the list belongs to the profile, and 422 for a smart list, whose titles cannot be
 * changed.
 */
async function requireChangeableList(trx: Db, context: ProfileContext, listId: string): Promise<void> {
  const row = await requireOwnList(trx, context, listId)
  if (row.filter_type !== null) throw createFieldProblem('titles', 'smart_list')
}
