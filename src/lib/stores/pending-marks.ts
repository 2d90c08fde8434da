/** Episodes and movies that are displayed as seen because of a mark that has not reached the server yet. */
import type { PendingWrite } from '../client/pending-writes.ts'
import type { ViewingScope } from '../contract/viewings.ts'
import { compareEpisodes, isSpecial } from '../rules/episode-order.ts'

interface MarkedEpisode {
  season_number: number
  episode_number: number
}

interface MarkedTitle {
  type: string
  id: string
}

/**
 * Returns whether a pending mark covers the episode, or the whole title when `episode` is undefined. The writes are
 * sorted from the oldest to the newest. A later removal of the progress or a later `unmark` cancels a mark.
 */
export function isMarkPending(
  writes: readonly PendingWrite[],
  title: MarkedTitle,
  episode?: MarkedEpisode,
): boolean {
  const markIds = new Set<string>()
  for (const write of writes) {
    if (write.undone) continue
    if (write.kind === 'mark' && write.body.scopes.some((scope) => isInScope(scope, title, episode)))
      markIds.add(write.id)
    if (write.kind === 'unmark') markIds.delete(write.id)
    const isReset = write.kind === 'reset' && write.title.type === title.type && write.title.id === title.id
    if (isReset || write.kind === 'clear') markIds.clear()
  }
  return markIds.size > 0
}

function isInScope(scope: ViewingScope, title: MarkedTitle, episode: MarkedEpisode | undefined): boolean {
  if (scope.type !== title.type || scope.media_id !== title.id) return false
  if (scope.scope === 'title') return !episode || !isSpecial(episode)
  if (!episode) return false
  const lastEpisode = { season_number: scope.season ?? 0, episode_number: scope.episode ?? 0 }
  if (scope.scope === 'season') return episode.season_number === scope.season
  if (scope.scope === 'episode') return compareEpisodes(episode, lastEpisode) === 0
  return isSpecial(episode) === isSpecial(lastEpisode) && compareEpisodes(episode, lastEpisode) <= 0
}
