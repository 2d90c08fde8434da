/**
 * Changes the watch state of a title. Completing a title also marks its unseen parts as seen. One Undo reverts the whole
 * change.
 */
import type { WatchState } from '../contract/watchlist.ts'
import { $profile } from './profile.ts'
import { showToast } from './toast.ts'
import { changeEntry, type TitleRef } from './watchlist.ts'

export async function setWatchState(title: TitleRef, state: WatchState): Promise<void> {
  if (!$profile.get()) return
  if (state === 'completed') {
    const { markSeen } = await import('./viewings.ts')
    await markSeen([{ type: title.type, media_id: title.id, scope: 'title' }])
  } else if (await changeEntry(title, { in_watchlist: true, state })) showToast('mylist:stateUpdated')
}
