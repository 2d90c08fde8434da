/**
 * The position of a search index: the last change of the catalogue that the index contains. Each machine has its own
 * index, which stores its position.
 */
import type { Database, Db } from '../../db/database.ts'
import {
  type CatalogueLogState,
  type ChangeLogPosition,
  END_OF_VERSION_DOC_ID,
  hasLoggedChanges,
  type LoggedChange,
  selectCatalogueLogState,
  selectLastChanges,
} from '../../queries/search-index.ts'
import { readSearchIndexPosition } from '../../search/engine.ts'

export interface IndexPosition extends ChangeLogPosition {
  /** Id of the log to which the version belongs. */
  logId: string
  /** The last changes that the index contains. They show whether the database was restored from an older backup. */
  lastChanges: LoggedChange[]
}

/**
 * Maximum number of `lastChanges`. A restore of the database from a backup stays unnoticed only if the documents of all
 * these changes have changed again before the check, which is unlikely.
 */
const MAX_LAST_CHANGES = 50

const parsedPositionsByDatabase = new WeakMap<
  Database['searchDatabase'],
  { text: string; position: IndexPosition }
>()

/** Returns the position of the index, or null if the index has never been built. */
export function readPosition({ searchDatabase }: Pick<Database, 'searchDatabase'>): IndexPosition | null {
  const text = readSearchIndexPosition(searchDatabase)
  if (text === null) return null
  const cachedPosition = parsedPositionsByDatabase.get(searchDatabase)
  if (cachedPosition?.text === text) return cachedPosition.position
  const position = JSON.parse(text) as IndexPosition
  parsedPositionsByDatabase.set(searchDatabase, { text, position })
  return position
}

/**
 * Returns the end of the log as a position. Call this function before the titles are read for a rebuild, so that
 * changes during the rebuild are applied to the new index.
 */
export async function loadLogEnd(db: Db): Promise<IndexPosition> {
  const { logId, version } = await selectCatalogueLogState(db)
  const lastChanges = (await selectLastChanges(db, MAX_LAST_CHANGES)).filter(
    (change) => change.version <= version,
  )
  return { logId, version, docId: END_OF_VERSION_DOC_ID, lastChanges }
}

/**
 * Returns the position of the index once `changes` are applied. `changes` are the changes after `position`: only the
 * oldest ones if `hasMore` is true, otherwise all of them. `log` was read before `changes`, so `changes` can contain
 * changes that are newer than `log`.
 */
export function advancePosition(
  position: IndexPosition,
  { log, changes, hasMore }: { log: CatalogueLogState; changes: LoggedChange[]; hasMore: boolean },
): IndexPosition {
  const lastChange = changes.at(-1)
  const lastChanges = [...position.lastChanges, ...changes].slice(-MAX_LAST_CHANGES)
  if (lastChange && hasMore)
    return { logId: log.logId, version: lastChange.version, docId: lastChange.doc_id, lastChanges }
  const version = Math.max(log.version, lastChange?.version ?? 0)
  return { logId: log.logId, version, docId: END_OF_VERSION_DOC_ID, lastChanges }
}

/** True if the index contains all changes of the log. */
export const isAtLogEnd = (position: IndexPosition, log: CatalogueLogState): boolean =>
  position.logId === log.logId && position.version === log.version && position.docId === END_OF_VERSION_DOC_ID

/** True if the index contains all changes up to and including those of `version`. */
export const containsVersion = (position: IndexPosition, version: number): boolean =>
  position.version > version || (position.version === version && position.docId === END_OF_VERSION_DOC_ID)

/** Like `canContinueFrom`, but without the query that checks whether the log still contains `lastChanges`. */
export const isPositionInLog = (position: IndexPosition, log: CatalogueLogState): boolean =>
  position.logId === log.logId && position.version <= log.version

/**
 * False if the position belongs to another database, if the database was restored from an older backup, or if an
 * administrator has since requested a rebuild of all indexes.
 */
export async function canContinueFrom(
  db: Db,
  position: IndexPosition,
  log: CatalogueLogState,
): Promise<boolean> {
  return isPositionInLog(position, log) && hasLoggedChanges(db, position.lastChanges)
}
