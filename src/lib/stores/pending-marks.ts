/** Episodes and movies that are displayed as seen because of a mark that has not reached the server yet. */
import type { PendingWrite } from '../client/write-request.ts'
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
 * Returns the scopes of the pending marks. The writes are sorted from the oldest to the newest. A later `unmark`, or a
 * later removal of the progress, cancels a mark.
 */
export function listMarkedScopes(writes: readonly PendingWrite[]): Set<ViewingScope> {
  let marks: { id: string; scope: ViewingScope }[] = []
  for (const write of writes) {
    if (write.undone) continue
    if (write.kind === 'mark') for (const scope of write.body.scopes) marks.push({ id: write.id, scope })
    if (write.kind === 'unmark') marks = marks.filter(({ id }) => id !== write.id)
    if (write.kind === 'reset') marks = marks.filter(({ scope }) => !isScopeOfTitle(scope, write.title))
    if (write.kind === 'clear') marks = []
  }
  return new Set(marks.map(({ scope }) => scope))
}

/** Returns whether a pending mark covers the episode, or the whole title when `episode` is undefined. */
export function isMarkPending(
  writes: readonly PendingWrite[],
  title: MarkedTitle,
  episode?: MarkedEpisode,
): boolean {
  return [...listMarkedScopes(writes)].some((scope) => isInScope(scope, title, episode))
}

const isScopeOfTitle = (scope: ViewingScope, title: MarkedTitle) =>
  scope.type === title.type && scope.media_id === title.id

function isInScope(scope: ViewingScope, title: MarkedTitle, episode: MarkedEpisode | undefined): boolean {
  if (!isScopeOfTitle(scope, title)) return false
  if (scope.scope === 'title') return !episode || !isSpecial(episode)
  if (!episode) return false
  const lastEpisode = { season_number: scope.season ?? 0, episode_number: scope.episode ?? 0 }
  if (scope.scope === 'season') return episode.season_number === scope.season
  if (scope.scope === 'episode') return compareEpisodes(episode, lastEpisode) === 0
  return isSpecial(episode) === isSpecial(lastEpisode) && compareEpisodes(episode, lastEpisode) <= 0
}
