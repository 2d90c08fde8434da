/** Everything that the player needs to start, in one response, and the URL of the first source (decision 16). */

import type { PlaybackRequest, PlaybackStart } from '../../../src/lib/contract/playback.ts'
import { getResumePosition } from '../../../src/lib/rules/player-prompts.ts'
import { isHls, orderSources, type PlaybackEnvironment } from '../../../src/lib/rules/player-quality.ts'
import type { Viewer } from '../auth/caller.ts'
import { listEpisodes, loadTitleDetails, parseId } from '../catalogue/titles.ts'
import type { Deps } from '../deps.ts'
import { loadProgress } from '../progress/progress.ts'
import { limitLookupRate } from './lookup-rate.ts'
import { lookUpLocalStream } from './stream.ts'

/** Loads details, progress, episodes and stream of a title. Returns undefined without an acting profile. Throws 404 or 429. */
export async function loadPlaybackStart(
  deps: Deps,
  caller: Viewer,
  query: PlaybackRequest,
): Promise<PlaybackStart | undefined> {
  limitLookupRate(deps, caller.account.account_id)
  return loadParts(deps, caller, query)
}

async function loadParts(
  deps: Deps,
  caller: Viewer,
  { type, slug, season, episode }: PlaybackRequest,
): Promise<PlaybackStart | undefined> {
  const { acting } = caller
  if (!acting) return undefined
  const context = { deps, caller: { ...caller, profile: { ...acting, enterable: true } } }
  const media = await loadTitleDetails(deps, caller, type, { slug })
  const seasonSummary = media.seasons?.find((candidate) => candidate.season_number === season)
  const episodeNumbers = type === 'tv' ? { season: season ?? 0, episode: episode ?? 0 } : {}
  const [progressHistory, stream, seasonEpisodes] = await Promise.all([
    loadProgress(context, { type, mediaId: media.id }),
    media.imdb_id
      ? lookUpLocalStream(deps, caller, { type, imdbId: media.imdb_id, quality: 'auto', ...episodeNumbers })
      : null,
    seasonSummary && listEpisodes(deps, caller, parseId(seasonSummary.id)),
  ])
  const { profile_id } = acting
  return {
    profile_id,
    media,
    history: progressHistory,
    ...(seasonEpisodes && { episodes: seasonEpisodes }),
    ...(stream && { stream }),
  }
}

/** True for the types that every browser can play; others depend on the browser. */
const isUniversallyPlayable = (type: string) => type === 'video/mp4' || type === 'video/webm'

/** True when the player resumes the title or episode from a saved position. src/layouts/early-playback.js has the same rule. */
function canResume(
  { history: { latest, episodes: episodeProgress } }: PlaybackStart,
  query: PlaybackRequest,
): boolean {
  const ofEpisode = episodeProgress.find(
    (progress) => progress.season === query.season && progress.episode === query.episode,
  )
  const progress = query.type === 'tv' ? ofEpisode : latest
  return getResumePosition(progress) > 0
}

/**
 * Returns the URL of the source that the player will choose, or null when only the player can decide: another acting profile,
 * a saved position, an unreleased episode, an adaptive stream, or an upstream resolver. Throws 404 or 429.
 *
 * Some browsers request later byte ranges from the same URL again (`goesOn`). By then a position is saved, and they request
 * often, so neither the position nor the rate limit is checked.
 */
export async function choosePlaybackUrl(
  deps: Deps,
  caller: Viewer,
  { profile, ...query }: PlaybackRequest & { profile: string },
  { goesOn, ...surroundings }: Omit<PlaybackEnvironment, 'canPlay'> & { goesOn: boolean },
): Promise<string | null> {
  if (caller.acting?.profile_id !== profile) return null
  if (!goesOn) limitLookupRate(deps, caller.account.account_id)
  const start = await loadParts(deps, caller, query)
  if (!start || (canResume(start, query) && !goesOn)) return null
  const isWantedEpisode = (episode: { episode_number: number }) => episode.episode_number === query.episode
  if (query.type === 'tv' && !start.episodes?.results.find(isWantedEpisode)?.released) return null
  const sources = start.stream?.sources ?? []
  if (sources.some((source) => isHls(source.mime_type))) return null
  const [chosen] = orderSources(sources, caller.account.media_quality, {
    ...surroundings,
    canPlay: isUniversallyPlayable,
  })
  return chosen && isUniversallyPlayable(chosen.mime_type) ? chosen.url : null
}
