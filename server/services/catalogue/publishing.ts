/** Publishing, editing and deleting titles as an administrator. Reads see a change at once, because the browse and search indexes apply the changes of the database before each read. */

import type { AdminTitle } from '../../../src/lib/contract/admin-titles.ts'
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import type { TitleRow, TitleType } from '../../queries/title.ts'
import {
  markTitlesDeleted,
  purgeTitle,
  restoreDeletedTitles,
  selectTitleForAdmin,
  selectTitleIdsToPurge,
  setTitlesPublished,
  updateTitle,
} from '../../queries/title-publishing.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import type { JobContext } from '../jobs/job-queue.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { loadSettingValue } from '../operations/settings.ts'
import { loadCards } from './cards.ts'
import { parseId } from './titles.ts'

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
  const { missing } = await changeTitlesPublished(context, [String(titleRef.id)], published)
  if (missing.length > 0) throw new Problem('not_found')
  return { id: String(titleRef.id), published }
}

export async function deleteTitle(context: RequestContext, titleRef: AdminTitleRef): Promise<void> {
  await requireTitleRow(context.deps.database.primary, titleRef)
  await deleteTitles(context, [String(titleRef.id)])
}

/** Applies `change` to several titles in one transaction, with one audit event per title. Returns the changed ids and the unknown ones. */
async function changeTitles(
  context: RequestContext,
  { ids, action }: { ids: string[]; action: string },
  change: (trx: Db, ids: number[]) => Promise<number[]>,
): Promise<{ done: string[]; missing: string[] }> {
  const { deps } = context
  const requestedIds = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number)
  const changedIds = await deps.database.primary.transaction().execute(async (trx) => {
    const affectedIds = await change(trx, requestedIds.concat(0))
    for (const id of affectedIds) await recordCallerAction(trx, context, { action, target: String(id) })
    return new Set(affectedIds.map(String))
  })
  deps.bus.publish('catalogue', { kind: action, media_ids: [...changedIds] })
  return { done: [...changedIds], missing: ids.filter((id) => !changedIds.has(id)) }
}

export async function changeTitlesPublished(context: RequestContext, ids: string[], published: boolean) {
  const action = published ? 'publish' : 'unpublish'
  const { done, missing } = await changeTitles(context, { ids, action }, (trx, titleIds) =>
    setTitlesPublished(trx, titleIds, published, context.deps.now()),
  )
  return { changed: done, missing }
}

export async function deleteTitles(context: RequestContext, ids: string[]) {
  const nowMs = context.deps.now()
  const undoMs = await loadUndoPeriodMs(context.deps)
  const { done, missing } = await changeTitles(context, { ids, action: 'title_delete' }, (trx, titleIds) =>
    markTitlesDeleted(trx, titleIds, nowMs),
  )
  return { deleted: done, missing, restorable_until: toIsoTime(nowMs + undoMs) }
}

export async function restoreTitles(context: RequestContext, ids: string[]) {
  const { done, missing } = await changeTitles(context, { ids, action: 'title_restore' }, (trx, titleIds) =>
    restoreDeletedTitles(trx, titleIds, context.deps.now()),
  )
  return { restored: done, missing }
}

export async function restoreTitle(context: RequestContext, id: string): Promise<AdminTitle> {
  const { missing } = await restoreTitles(context, [id])
  if (missing.length > 0) throw new Problem('not_found')
  return loadAdminTitle(context, id)
}

const loadUndoPeriodMs = async ({ database }: Deps) =>
  (await loadSettingValue(database.primary, 'undo_seconds')) * 1_000

export async function loadAdminTitle(
  { deps, caller }: Omit<RequestContext, 'request'>,
  id: string,
): Promise<AdminTitle> {
  const row = await selectTitleForAdmin(deps.database.primary, parseId(id))
  if (!row) throw new Problem('not_found')
  const [card] = await loadCards(deps, [row], getTitleLanguage(caller))
  const restorableUntilMs = row.deleted_at === null ? null : row.deleted_at + (await loadUndoPeriodMs(deps))
  return {
    id: String(row.title_id),
    type: row.type as TitleType,
    slug: row.slug,
    title: card?.title ?? row.original_title,
    original_title: row.original_title,
    year: row.year,
    imdb_id: row.imdb_id,
    poster_path: card?.poster_path ?? null,
    published: row.published === 1,
    blocked: row.blocked === 1,
    safe_for_kids: row.safe_for_kids === 1,
    parental_guide: JSON.parse(row.parental_guide) as AdminTitle['parental_guide'],
    edited: Object.keys(JSON.parse(row.edited) as object) as AdminTitle['edited'],
    source: row.source,
    created_at: toIsoTime(row.created_at),
    updated_at: toIsoTime(row.updated_at),
    restorable_until: toIsoTimeOrNull(restorableUntilMs),
  }
}

interface TitleEdit {
  published?: boolean | undefined
  safe_for_kids?: boolean | undefined
  parental_guide?: AdminTitle['parental_guide'] | undefined
}

/** Edits a title. Imports do not overwrite the edited fields later. */
export async function editTitle(context: RequestContext, id: string, change: TitleEdit): Promise<AdminTitle> {
  const { deps } = context
  const { published, safe_for_kids, parental_guide } = change
  const categories = parental_guide?.map((entry) => entry.category) ?? []
  if (new Set(categories).size < categories.length) throw createFieldProblem('parental_guide', 'twice')
  await deps.database.primary.transaction().execute(async (trx) => {
    const row = await selectTitleForAdmin(trx, parseId(id))
    if (!row || row.deleted_at !== null) throw new Problem('not_found')
    const edits = {
      ...(safe_for_kids !== undefined && { safe_for_kids: safe_for_kids ? 1 : 0 }),
      ...(parental_guide !== undefined && { parental_guide: JSON.stringify(parental_guide) }),
    }
    await updateTitle(trx, row.title_id, {
      ...edits,
      ...(published !== undefined && { published: published ? 1 : 0 }),
      edited: JSON.stringify({ ...(JSON.parse(row.edited) as object), ...edits }),
      updated_at: deps.now(),
    })
    await recordCallerAction(trx, context, { action: 'title_edit', target: id })
  })
  return loadAdminTitle(context, id)
}

/** Job handler: deletes titles for good once their deletion can no longer be undone. */
export async function runTitlePurge({ deps, signal, reportProgress }: JobContext) {
  const { primary } = deps.database
  const deletedBeforeMs = deps.now() - (await loadUndoPeriodMs(deps))
  let done = 0
  while (!signal.aborted) {
    const ids = await selectTitleIdsToPurge(primary, deletedBeforeMs, PURGE_BATCH_SIZE)
    if (ids.length === 0) break
    for (const id of ids) if (await purgeTitle(primary, id, deletedBeforeMs)) done += 1
    await reportProgress(done, null)
  }
  return { message: String(done) }
}

export async function isTitlePurgeDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  return (await selectTitleIdsToPurge(primary, deps.now() - (await loadUndoPeriodMs(deps)), 1)).length > 0
}
