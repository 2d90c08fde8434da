/**
 * Publishes, deletes, restores and purges titles for administrators. The browse and search indexes apply the changes of
 * the database before each read. After very many changes at once, reads can use an older index until the index is
 * updated in the background.
 */

import type { AdminTitle, DeletedTitle } from '../../../src/lib/contract/admin-titles.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { selectLatestJobOfKind } from '../../queries/job.ts'
import { clearTitleOfLibraryChoices, markFilesOfDeletedTitle } from '../../queries/library-choice.ts'
import type { TitleRow, TitleType } from '../../queries/title.ts'
import {
  markTitlesDeleted,
  purgeTitle,
  restoreDeletedTitles,
  selectDeletedTitles,
  selectTitleForAdmin,
  selectTitleIdsToPurge,
  selectTitleIdsWithBlockRule,
  setTitlesPublished,
} from '../../queries/title-publishing.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import type { JobContext } from '../jobs/job-queue.ts'
import { computeRetryTimeMs } from '../jobs/retry-delay.ts'
import { findFilesOfTitles } from '../library/deleted-titles.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { toPage } from '../page.ts'
import { loadAdminTitle, loadBinPeriodMs } from './admin-title.ts'
import { loadCards } from './cards.ts'

interface AdminTitleRef {
  type: TitleType
  id: number
}
const PURGE_BATCH_SIZE = 20

async function requireTitleRow(db: Db, { type, id }: AdminTitleRef): Promise<TitleRow> {
  const row = await selectTitleForAdmin(db, id)
  if (!row || row.type !== type || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

export async function changeTitlePublished(
  context: RequestContext,
  titleRef: AdminTitleRef,
  published: boolean,
) {
  await requireTitleRow(context.deps.database.primary, titleRef)
  const { missing: missingIds } = await changeTitlesPublished(context, [String(titleRef.id)], published)
  if (missingIds.length > 0) throw new Problem('not_found')
  return { id: String(titleRef.id), published }
}

export async function deleteTitle(context: RequestContext, titleRef: AdminTitleRef): Promise<void> {
  await requireTitleRow(context.deps.database.primary, titleRef)
  await deleteTitles(context, [String(titleRef.id)])
}

/**
 * Applies `applyChange` to several titles in one transaction, with one audit event per changed title. Returns the ids
 * of the changed titles, and the requested ids that `applyChange` has not found.
 */
async function changeTitles(
  context: RequestContext,
  { ids, action }: { ids: string[]; action: string },
  applyChange: (trx: Db, titleIds: number[]) => Promise<{ changedIds: number[]; foundIds: number[] }>,
): Promise<{ changed: string[]; missing: string[] }> {
  const { deps } = context
  const requestedIds = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number)
  const { changedIds, foundIds } = await deps.database.primary.transaction().execute(async (trx) => {
    // PostgreSQL rejects an empty list of ids. The id 0, which no title has, keeps the list from being empty.
    const titleChange = await applyChange(trx, requestedIds.concat(0))
    for (const id of titleChange.changedIds)
      await recordCallerAction(trx, context, { action, target: String(id) })
    return titleChange
  })
  const changed = changedIds.map(String)
  deps.bus.publish('catalogue', { kind: action, media_ids: changed })
  const foundIdSet = new Set(foundIds.map(String))
  return { changed, missing: ids.filter((id) => !foundIdSet.has(id)) }
}

/** Result of a deletion or restoration. A title that was already deleted or restored counts as not found. */
const toTitleChange = (changedIds: number[]) => ({ changedIds, foundIds: changedIds })

export async function changeTitlesPublished(context: RequestContext, ids: string[], published: boolean) {
  const action = published ? 'publish' : 'unpublish'
  return changeTitles(context, { ids, action }, async (trx, titleIds) => {
    const { changedIds, existingIds } = await setTitlesPublished(trx, titleIds, published, context.deps.now())
    return { changedIds, foundIds: existingIds }
  })
}

export async function deleteTitles(context: RequestContext, ids: string[]) {
  const nowMs = context.deps.now()
  const binPeriodMs = await loadBinPeriodMs(context.deps)
  const { changed: deleted, missing } = await changeTitles(
    context,
    { ids, action: 'title_delete' },
    async (trx, titleIds) => toTitleChange(await markTitlesDeleted(trx, titleIds, nowMs)),
  )
  return { deleted, missing, restorable_until: toIsoTime(nowMs + binPeriodMs) }
}

export async function restoreTitles(context: RequestContext, ids: string[]) {
  const { changed: restored, missing } = await changeTitles(
    context,
    { ids, action: 'title_restore' },
    async (trx, titleIds) => toTitleChange(await restoreDeletedTitles(trx, titleIds, context.deps.now())),
  )
  return { restored, missing }
}

/** Lists the titles in the bin, the latest first. */
export async function listDeletedTitles(
  { deps, caller }: RequestContext,
  query: Parameters<typeof selectDeletedTitles>[1],
) {
  const { rows, total } = await selectDeletedTitles(deps.database.primary, query)
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  const binPeriodMs = await loadBinPeriodMs(deps)
  const titleIds = rows.map((row) => row.title_id)
  const idsWithBlockRule = await selectTitleIdsWithBlockRule(deps.database.primary, titleIds)
  const deletedTitles = rows.map(
    (row, index): DeletedTitle => ({
      id: String(row.title_id),
      type: row.type as TitleType,
      title: cards[index]?.title ?? row.original_title,
      year: row.year,
      deleted_at: toIsoTime(Number(row.deleted_at)),
      restorable_until: toIsoTime(Number(row.deleted_at) + binPeriodMs),
      kept_by_block_rule: idsWithBlockRule.has(row.title_id),
    }),
  )
  return toPage(query, total, deletedTitles)
}

export async function restoreTitle(context: RequestContext, id: string): Promise<AdminTitle> {
  const { missing: missingIds } = await restoreTitles(context, [id])
  if (missingIds.length > 0) throw new Problem('not_found')
  return loadAdminTitle(context, id)
}

/** Job handler: permanently deletes titles whose time in the bin has ended. */
export async function runTitlePurge({ deps, signal, reportProgress }: JobContext) {
  const { primary } = deps.database
  const deletedBeforeMs = deps.now() - (await loadBinPeriodMs(deps))
  let doneCount = 0
  while (!signal.aborted) {
    const titleIds = await selectTitleIdsToPurge(primary, deletedBeforeMs, PURGE_BATCH_SIZE)
    if (titleIds.length === 0) break
    const pathsByTitleId = await findFilesOfTitles(deps, titleIds)
    for (const titleId of titleIds) {
      const isTitlePurged = await primary.transaction().execute(async (trx) => {
        const nowMs = deps.now()
        await clearTitleOfLibraryChoices(trx, titleId, deletedBeforeMs)
        if (!(await purgeTitle(trx, titleId, { beforeMs: deletedBeforeMs, nowMs }))) return false
        await markFilesOfDeletedTitle(trx, pathsByTitleId.get(titleId) ?? [], nowMs)
        return true
      })
      if (isTitlePurged) doneCount += 1
    }
    await reportProgress(doneCount, null)
  }
  return { message: String(doneCount) }
}

/**
 * True when the time of at least one title in the bin has ended, unless the last purge failed or was cancelled less
 * than an hour ago.
 */
export async function isTitlePurgeDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  const nowMs = deps.now()
  if ((await selectTitleIdsToPurge(primary, nowMs - (await loadBinPeriodMs(deps)), 1)).length === 0)
    return false
  const lastJob = await selectLatestJobOfKind(primary, { kind: 'title_purge', nowMs })
  return computeRetryTimeMs(lastJob, nowMs) <= nowMs
}
