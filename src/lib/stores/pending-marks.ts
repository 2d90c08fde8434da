/** Episodes and movies that are displayed as seen because of a mark that has not reached the server yet. */
import type { PendingWrite } from '../client/pending-writes.ts'
import { compareEpisodes, isSpecial } from '../rules/episode-order.ts'

interface MarkedEpisode {
  season_number: number
  episode_number: number
}

/**
 * Returns whether a pending mark covers the episode, or the whole title when `episode` is undefined.
 */
export function isMarkPending(
  writes: readonly PendingWrite[],
  title: { type: string; id: string },
  episode?: MarkedEpisode,
): boolean {
  return writes.some(
    (write) =>
      write.kind === 'mark' &&
      write.body.scopes.some((scope) => {
        if (scope.type !== title.type || scope.media_id !== title.id) return false
        if (scope.scope === 'title') return !episode || !isSpecial(episode)
        if (!episode) return false
        const lastEpisode = { season_number: scope.season ?? 0, episode_number: scope.episode ?? 0 }
        if (scope.scope === 'season') return episode.season_number === scope.season
        if (scope.scope === 'episode') return compareEpisodes(episode, lastEpisode) === 0
        return isSpecial(episode) === isSpecial(lastEpisode) && compareEpisodes(episode, lastEpisode) <= 0
      }),
  )
}
