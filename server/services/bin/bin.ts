/**
 * Functions of the bin of a profile and its account. They show, restore and erase items that were deleted in the last
 * 30 days.
 */
import type { BinItem } from '../../../src/lib/contract/bin.ts'
import { MAX_PROFILES } from '../../../src/lib/rules/limits.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import { truncateWriteAheadLog } from '../../db/write-ahead-log.ts'
import {
  BIN_RETENTION_MS,
  type BinRow,
  eraseProfileBinItem,
  restoreDeletedProfile,
  selectDeletedLists,
  selectDeletedProfile,
  selectDeletedProfiles,
  selectUndoneImports,
  selectViewingRemovals,
} from '../../queries/bin.ts'
import { deleteProfile, lockAndSelectProfiles } from '../../queries/profile.ts'
import {
  eraseRemovedProgress,
  type ProgressRemoval,
  selectProgressRemovals,
} from '../../queries/progress-removal.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import type { ProfileCaller } from '../auth/caller.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext, RequestContext } from '../context.ts'
import { publishSharedEvent } from '../events/account-events.ts'
import { startRestoringImport } from '../history-import/import-runs.ts'
import { restoreNamedList } from '../lists/lists.ts'
import { recordProfileAuditEvent } from '../profiles/profiles.ts'
import { restoreProgress } from '../progress/progress-removal.ts'
import { undoViewingEdit } from '../viewings/viewing-edits.ts'

interface BinItemRef {
  kind: BinItem['kind']
  itemId: string
}

export async function listBin(context: ProfileContext): Promise<{ results: BinItem[] }> {
  const { deps, caller } = context
  const { primary } = deps.database
  const { profile_id: profileId, account_id: accountId } = caller.profile
  const sinceMs = deps.now() - BIN_RETENTION_MS
  const [profiles, lists, viewingEdits, progressRemovals, imports] = await Promise.all([
    caller.audience.isForKids ? [] : selectDeletedProfiles(primary, accountId, sinceMs),
    selectDeletedLists(primary, profileId, sinceMs),
    selectViewingRemovals(primary, profileId, sinceMs),
    selectProgressRemovals(primary, profileId, sinceMs + 1),
    selectUndoneImports(primary, profileId, sinceMs),
  ])
  const viewings = [...viewingEdits, ...progressRemovals.map(toBinRow)]
  const titleNamesById = await loadTitleNames(context, viewings)
  const toBinItems = (kind: BinItem['kind'], rows: BinRow[]) =>
    rows.map((row) => ({
      kind,
      item_id: row.item_id,
      name: row.title_id === null ? row.name : (titleNamesById.get(row.title_id) ?? null),
      count: row.count,
      deleted_at: toIsoTime(row.deleted_at),
      restorable_until: toIsoTime(row.deleted_at + BIN_RETENTION_MS),
    }))
  const binItems = [
    ...toBinItems('profile', profiles),
    ...toBinItems('list', lists),
    ...toBinItems('history', viewings),
    ...toBinItems('import', imports),
  ]
  return { results: binItems.toSorted((a, b) => b.deleted_at.localeCompare(a.deleted_at)) }
}

const PROGRESS_ITEM_PREFIX = 'progress-'

const toBinRow = ({ removedAtMs, titleId, viewingCount }: ProgressRemoval): BinRow => ({
  item_id: `${PROGRESS_ITEM_PREFIX}${removedAtMs}`,
  name: null,
  title_id: titleId,
  count: viewingCount || null,
  deleted_at: removedAtMs,
})

/**
 * Parses the id of a history item in the bin. Returns the time at which its progress was removed, in milliseconds since
 * 1970; undefined for the id of a viewing edit.
 */
const parseProgressItemId = (itemId: string): number | undefined =>
  /^progress-\d{1,15}$/.test(itemId) ? Number(itemId.slice(PROGRESS_ITEM_PREFIX.length)) : undefined

async function loadTitleNames({ deps, caller }: ProfileContext, rows: readonly BinRow[]) {
  const titleIds = [...new Set(rows.flatMap((row) => row.title_id ?? []))]
  const titles = await selectTitlesByIds(deps.database.reader, caller.audience, titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  return new Map([...cardsById].map(([titleId, card]) => [titleId, card.title]))
}

/**
 * Restores an item; an import is restored in the background. Throws 404 when the item is not in the bin, 422 when the
 * profile has too many lists, and 409 when the item cannot be restored for another reason, such as a later change.
 */
export async function restoreBinItem(
  context: RequestContext<ProfileCaller>,
  { kind, itemId }: BinItemRef,
): Promise<void> {
  if (kind === 'profile') return restoreProfile(context, itemId)
  if (kind === 'list') await restoreNamedList(context, itemId)
  else if (kind === 'history') await restoreHistory(context, itemId)
  else await startRestoringImport(context, itemId)
}

async function restoreHistory(context: RequestContext<ProfileCaller>, itemId: string): Promise<void> {
  const removedAtMs = parseProgressItemId(itemId)
  if (removedAtMs === undefined) return undoViewingEdit(context, itemId)
  if (removedAtMs <= context.deps.now() - BIN_RETENTION_MS) throw new Problem('not_found')
  await restoreProgress(context, removedAtMs)
}

async function restoreProfile(context: RequestContext<ProfileCaller>, profileId: string): Promise<void> {
  const { deps, caller } = context
  const { account_id: accountId } = caller.account
  await deps.database.primary.transaction().execute(async (trx) => {
    const otherProfiles = await lockAndSelectProfiles(trx, accountId)
    if (!(await restoreDeletedProfile(trx, { accountId, profileId }, deps.now() - BIN_RETENTION_MS)))
      throw new Problem('not_found')
    if (otherProfiles.length >= MAX_PROFILES)
      throw new Problem('conflict', { errors: { profile: ['too_many'] } })
    await recordProfileAuditEvent(trx, context, 'profile_restore', profileId)
  })
  publishSharedEvent({ deps, caller }, 'profiles')
}

/**
 * Permanently deletes an item. Throws 404 when the item is not in the bin. Throws 403 when the item is a profile
 * with a PIN and the account password was not given.
 */
export async function eraseBinItem(
  context: RequestContext<ProfileCaller>,
  { kind, itemId }: BinItemRef,
  isPasswordProven: boolean,
): Promise<void> {
  const { deps, caller } = context
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  const removedAtMs = kind === 'history' ? parseProgressItemId(itemId) : undefined
  if (kind === 'profile') await eraseProfile(context, itemId, isPasswordProven)
  else {
    const isItemErased =
      removedAtMs === undefined
        ? await eraseProfileBinItem(primary, kind, { profileId, itemId })
        : await primary
            .transaction()
            .execute((trx) => eraseRemovedProgress(trx, { profileId, removedAtMs, nowMs: deps.now() }))
    if (!isItemErased) throw new Problem('not_found')
  }
  await truncateWriteAheadLog(deps.database).catch(() => false)
}

async function eraseProfile(
  context: RequestContext<ProfileCaller>,
  profileId: string,
  isPasswordProven: boolean,
): Promise<void> {
  const { deps, caller } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    const profile = await selectDeletedProfile(trx, { accountId: caller.account.account_id, profileId })
    if (!profile) throw new Problem('not_found')
    if (profile.pin_hash !== null && !isPasswordProven)
      throw new Problem('forbidden', { errors: { password: ['needed'] } })
    await deleteProfile(trx, profileId)
    await recordProfileAuditEvent(trx, context, 'profile_erase', profileId)
  })
}
