/** Items that were deleted in the last 30 days and can be restored. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import type { BinItem } from '../contract/bin.ts'
import * as calls from '../contract/bin.ts'
import { markListsChanged } from './named-lists-version.ts'
import { $profile, loadProfiles } from './profile.ts'
import { createReadStore, refetch, refetchAll } from './query.ts'
import { showToast } from './toast.ts'

export const $bin = createReadStore(
  calls.listBin,
  computed($profile, (profile) => (profile && !profile.kids ? { params: { id: profile.profile_id } } : null)),
)

const buildBinItemParams = ({ kind, item_id: itemId }: BinItem) => ({
  id: $profile.get()?.profile_id ?? '',
  kind,
  itemId,
})

/**
 * Restores an item, and shows the result. The server rejects the restore when a later change conflicts with it, or when
 * the maximum number of profiles or lists is reached.
 */
export async function restoreBinItem(item: BinItem): Promise<void> {
  try {
    await callApi(calls.restoreBinItem, { params: buildBinItemParams(item), body: {} })
    showToast('bin:restored')
    if (item.kind === 'profile') await loadProfiles()
    if (item.kind === 'list') markListsChanged()
    refetchAll()
  } catch (error) {
    showToast(getFailureMessageKey(error, item), { kind: 'bad' })
    refetch(calls.listBin)
  }
}

function getFailureMessageKey(error: unknown, { kind }: BinItem) {
  if (!(error instanceof ApiError) || ![409, 422].includes(error.status)) return 'errors:generic'
  if (kind === 'profile') return 'bin:tooManyProfiles'
  return kind === 'list' ? 'bin:tooManyLists' : 'bin:changedSince'
}

/** Permanently deletes an item. Throws `ApiError`, for example when the account password is missing or wrong. */
export async function eraseBinItem(item: BinItem, password?: string): Promise<void> {
  const erasePromise = callApi(calls.eraseBinItem, {
    params: buildBinItemParams(item),
    body: password === undefined ? {} : { password },
  })
  await ignoreNotFound(erasePromise).finally(() => refetch(calls.listBin))
}
