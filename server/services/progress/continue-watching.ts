/**
 * Lists Continue Watching, with one card per title in progress. A series without unwatched episodes is
 * omitted until a new episode airs.
 */

import type { MediaCard } from '../../../src/lib/contract/media.ts'
import type { ContinueCard } from '../../../src/lib/contract/progress.ts'
import { toIsoTime } from '../../core/dates.ts'
import type { PageRequest } from '../../queries/page.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { buildArtPath, getTitleArtVersion } from '../catalogue/artwork.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import { toPage } from '../page.ts'
import { type ContinueCandidate, type EpisodeToPlay, loadContinueCandidates } from './continue-candidates.ts'
import { toProgress } from './progress.ts'

export async function listContinueWatching(context: ProfileContext, { page, limit }: PageRequest) {
  const candidates = await loadContinueCandidates(context)
  const pageCandidates = candidates.slice((page - 1) * limit, page * limit)
  const cardsById = await loadCardsById(
    context.deps,
    pageCandidates.map((candidate) => candidate.title),
    getTitleLanguage(context.caller),
  )
  const continueCards = pageCandidates.flatMap((candidate) => {
    const card = cardsById.get(candidate.title.title_id)
    return card ? [toContinueCard(context, candidate, card)] : []
  })
  return toPage({ page, limit }, candidates.length, continueCards)
}

function toContinueCard(
  context: ProfileContext,
  candidate: ContinueCandidate,
  card: MediaCard,
): ContinueCard {
  return {
    media: card,
    progress: candidate.progress && toProgress(candidate.title, candidate.progress),
    next_episode: toNextEpisode(context, candidate),
    updated_at: toIsoTime(candidate.lastActivityMs),
  }
}

/** Returns the episode in the format of the API; null for a movie. */
export function toNextEpisode(
  { deps, caller }: ProfileContext,
  { title, episode }: Pick<EpisodeToPlay, 'title' | 'episode'>,
): ContinueCard['next_episode'] {
  if (!episode) return null
  const { season_number, episode_number, name, still_path, runtime } = episode
  const artworkKey = `${title.title_id}-${season_number}-${episode_number}`
  return {
    season_number,
    episode_number,
    title: name,
    still_path: buildArtPath(
      deps,
      { kind: 'still', key: artworkKey, lang: getTitleLanguage(caller) },
      still_path,
      getTitleArtVersion(title),
    ),
    runtime,
  }
}
