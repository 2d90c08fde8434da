/** Copies the pending writes from local storage to the stores, so that pages display their changes. */
import { listPendingWrites } from '../client/pending-writes.ts'
import type { PendingWrite, WatchlistChange } from '../client/write-request.ts'
import type { WatchlistEntry } from '../contract/watchlist.ts'
import { applyAccountPreferences, applyProfilePreferences } from './apply-preferences.ts'
import { listMarkedScopes } from './pending-marks.ts'
import { $pendingWatchlistChanges, $pendingWrites, getWriteOwner } from './pending-writes.ts'

/**
 * Updates `$pendingWrites` and `$pendingWatchlistChanges` from local storage. Applies pending preferences to the user
 * and the profile, because the replies of the server and of the read cache contain the old preferences.
 */
export function publishPendingWrites(): void {
  const owner = getWriteOwner()
  const pendingWrites = owner ? listPendingWrites(localStorage, owner) : []
  $pendingWrites.set(pendingWrites)
  $pendingWatchlistChanges.set(collectWatchlistChanges(pendingWrites))
  if (!owner) return
  for (const write of pendingWrites) {
    if (write.kind === 'user') applyAccountPreferences(owner.accountId, write.preferences)
    if (write.kind === 'profile') applyProfilePreferences(owner.profileId, write.preferences)
  }
}

/** Returns the changes of watchlist entries by title key `type/id`. The fields of later changes take precedence. */
function collectWatchlistChanges(pendingWrites: readonly PendingWrite[]) {
  const changesByTitleKey: Record<string, Partial<WatchlistEntry>> = {}
  const mergeChange = (
    titleKey: string,
    { added_at: _addedAt, ...body }: Omit<WatchlistChange, 'type' | 'media_id'>,
  ) => {
    changesByTitleKey[titleKey] = { ...changesByTitleKey[titleKey], ...body } as Partial<WatchlistEntry>
  }
  const markedScopes = listMarkedScopes(pendingWrites)
  for (const write of pendingWrites) {
    if (write.kind === 'list') mergeChange(`${write.title.type}/${write.title.id}`, write.body)
    if (write.kind === 'mark')
      for (const scope of write.body.scopes)
        if (scope.scope === 'title' && markedScopes.has(scope))
          mergeChange(`${scope.type}/${scope.media_id}`, { state: 'completed' })
    if (write.kind === 'several')
      for (const { type, media_id, ...body } of write.entries) mergeChange(`${type}/${media_id}`, body)
  }
  return changesByTitleKey
}
