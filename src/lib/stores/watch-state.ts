/** Changes the watch state of a title. Completing it marks what is not seen as seen, which can be undone as a whole. */
import type { WatchState } from '../contract/watchlist.ts'
import { setWatchState, type TitleRef } from './watchlist.ts'

export async function changeWatchState(title: TitleRef, state: WatchState): Promise<void> {
  if (state !== 'completed') return setWatchState(title, state)
  const { markSeen } = await import('./viewings.ts')
  await markSeen([{ type: title.type, media_id: title.id, scope: 'title' }])
}
