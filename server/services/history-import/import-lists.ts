/**
 * The named lists that an import fills. Missing lists are created before the rows of the import are applied.
 */

import { NAMED_LIST_LIMITS } from '../../../src/lib/rules/tracking-limits.ts'
import type { Db } from '../../db/database.ts'
import type { HistoryRow, ImportedNamedList } from '../../importers/history/history-row.ts'
import type { HistoryImportRun } from '../../queries/history-import.ts'
import { selectListRows } from '../../queries/history-import-row.ts'
import {
  insertNamedList,
  lockNamedLists,
  selectEntryCountAndLastPosition,
  selectListTitleIds,
  selectOwnList,
  selectOwnLists,
} from '../../queries/named-list.ts'
import { createDerivedId, createRandomId } from '../auth/secret.ts'
import { normaliseListName, validateListDescription } from '../lists/list-text.ts'
import { parseListFilter } from '../lists/list-views.ts'
import { listRowWindows } from './row-windows.ts'

/** A named list to which an import adds titles. */
export interface ImportTargetList {
  listId: string
  /** Position of the last title before the import; the titles of the import follow it. */
  lastPosition: number
  /** Number of the last row whose title is added. The titles of later rows exceed the size limit of a list. */
  lastRowNumber: number
}

export interface ImportedLists {
  listsByName: Map<string, ImportTargetList>
  /** Number of titles that are left out, because their list is full or cannot be created. */
  leftOutCount: number
}

type ImportedList = ImportedNamedList & { name: string }

interface ListInFile {
  /** Fields of the list, if the file has them. */
  fields: ImportedNamedList | undefined
  /** Number of the first row of each title, in the order of the file. */
  rowNumbersByTitleId: Map<number, number>
}

/**
 * Maximum number of titles of a list that are read from the file. A stored list contains at most
 * `NAMED_LIST_LIMITS.titles` of these titles already, so the remaining titles are enough to fill the list.
 */
const MAX_READ_TITLES = NAMED_LIST_LIMITS.titles * 2

/**
 * Returns the fields of a list, with the name and the description as they are stored. Returns undefined if the row
 * describes no list, or if the API would reject the name, the description or the filter.
 */
export function parseImportedList({ list, namedList }: HistoryRow): ImportedList | undefined {
  const name = normaliseListName(list ?? '')
  if (name === undefined || !namedList) return undefined
  const { description, filter_type, filter_query } = namedList
  const validatedDescription = validateListDescription(description)
  if ('error' in validatedDescription) return undefined
  if (filter_type && !parseListFilter({ type: filter_type, query: filter_query ?? '' })) return undefined
  return { ...namedList, name, description: validatedDescription.text }
}

interface ListImport {
  run: HistoryImportRun
  owners: readonly string[] | undefined
}

/**
 * Finds or creates the lists of the rows. Returns the lists without smart lists, which have no titles of their own. A
 * missing list is not created if the profile already has the maximum number of lists. A list that has no room for all
 * its titles gets the first titles in the order of the file. A list that was deleted by Undo is created again with its
 * old id and time, so that rows of the home page still refer to it.
 */
export async function createImportedLists(db: Db, { run, owners }: ListImport): Promise<ImportedLists> {
  const fileListsByName = await readFileLists(db, run.import_id, owners)
  if (fileListsByName.size === 0) return { listsByName: new Map(), leftOutCount: 0 }
  return db.transaction().execute(async (trx) => {
    await lockNamedLists(trx, run.profile_id)
    const existingLists = await selectOwnLists(trx, run.profile_id)
    const existingListsByName = new Map(existingLists.map((list) => [list.name, list]))
    const listsByName = new Map<string, ImportTargetList>()
    let listCount = existingLists.length
    let leftOutCount = 0
    const addTargetList = async (name: string, listId: string, fileList: ListInFile) => {
      const { targetList, leftOutCount: leftOutOfListCount } = await prepareTargetList(trx, listId, fileList)
      listsByName.set(name, targetList)
      leftOutCount += leftOutOfListCount
    }
    for (const [listIndex, [name, fileList]] of [...fileListsByName].entries()) {
      const listFields = fileList.fields
      const existingList = existingListsByName.get(name)
      if (existingList) {
        // A smart list has no titles of its own.
        if (existingList.filter_type !== null) continue
        await addTargetList(name, existingList.list_id, fileList)
        continue
      }
      if (listCount >= NAMED_LIST_LIMITS.lists) {
        leftOutCount += fileList.rowNumbersByTitleId.size
        continue
      }
      const listId = await chooseListId(trx, run, name)
      // The time of creation orders the lists of a profile, so it increases in the order of the file.
      const createdAtMs = run.created_at + listIndex
      listCount += 1
      await insertNamedList(trx, {
        list_id: listId,
        profile_id: run.profile_id,
        name,
        description: listFields?.description ?? '',
        shared: listFields?.shared ? 1 : 0,
        on_home: listFields?.on_home ? 1 : 0,
        filter_type: listFields?.filter_type ?? null,
        filter_query: listFields?.filter_query ?? null,
        import_id: run.import_id,
        created_at: createdAtMs,
        updated_at: createdAtMs,
        deleted_at: null,
      })
      if (!listFields?.filter_type) await addTargetList(name, listId, fileList)
    }
    return { listsByName, leftOutCount }
  })
}

/**
 * Returns the list to fill, with the number of the last row whose title fits in the list. Also returns the number of
 * titles that do not fit.
 */
async function prepareTargetList(
  trx: Db,
  listId: string,
  { rowNumbersByTitleId }: ListInFile,
): Promise<{ targetList: ImportTargetList; leftOutCount: number }> {
  const { lastPosition } = await selectEntryCountAndLastPosition(trx, listId)
  const storedTitleIds = await selectListTitleIds(trx, listId)
  const newRowNumbers = [...rowNumbersByTitleId].flatMap(([titleId, rowNumber]) =>
    storedTitleIds.has(titleId) ? [] : [rowNumber],
  )
  const remainingTitleCount = Math.max(0, NAMED_LIST_LIMITS.titles - storedTitleIds.size)
  const firstLeftOutRowNumber = newRowNumbers[remainingTitleCount] ?? Number.POSITIVE_INFINITY
  return {
    targetList: { listId, lastPosition, lastRowNumber: firstLeftOutRowNumber - 1 },
    leftOutCount: Math.max(0, newRowNumbers.length - remainingTitleCount),
  }
}

/**
 * Returns the id of a new list, derived from the import and the name. Returns a random id if a list with the derived id
 * exists. No list has this name when this function is called, so the existing list was renamed or is in the bin.
 */
async function chooseListId(trx: Db, run: HistoryImportRun, name: string): Promise<string> {
  const listId = createDerivedId([run.import_id, name])
  return (await selectOwnList(trx, run.profile_id, listId)) ? createRandomId() : listId
}

/** Returns the lists by name, in the order of the file. */
async function readFileLists(db: Db, importId: string, owners: readonly string[] | undefined) {
  const fileListsByName = new Map<string, ListInFile>()
  for await (const window of listRowWindows(db, importId)) {
    for (const { n: rowNumber, title_id: titleId, data } of await selectListRows(
      db,
      importId,
      window,
      owners,
    )) {
      const row = JSON.parse(data) as HistoryRow
      // The dry run of earlier versions did not check the fields of lists, so rows with invalid fields are skipped
      // here.
      const list = row.kind === 'list' ? parseImportedList(row) : undefined
      if (row.kind === 'list' && !list) continue
      const name = list?.name ?? normaliseListName(row.list ?? '')
      if (name === undefined) continue
      const fileList = fileListsByName.get(name) ?? { fields: undefined, rowNumbersByTitleId: new Map() }
      fileListsByName.set(name, fileList)
      fileList.fields ??= list
      const { rowNumbersByTitleId } = fileList
      if (row.kind !== 'listed' || titleId === null || rowNumbersByTitleId.has(titleId)) continue
      if (rowNumbersByTitleId.size < MAX_READ_TITLES) rowNumbersByTitleId.set(titleId, rowNumber)
    }
  }
  return fileListsByName
}
