/** Loads everything that the player needs to start, in one response (decision 16). */

import type { PlaybackStart, PlaybackStartRequest } from '../../../src/lib/contract/playback.ts'
import type { Viewer } from '../auth/caller.ts'
import { listEpisodes, loadTitleDetails, parseId } from '../catalogue/titles.ts'
import type { Deps } from '../deps.ts'
import { loadProgress } from '../progress/progress.ts'
import { limitLookupRate } from './lookup-rate.ts'
import { lookUpLocalStream } from './stream.ts'

/**
 * Loads details, progress, episodes and stream of a title. Returns undefined without an acting profile.
 * Throws 404 when the caller may not see the title, and 429 above the rate limit.
 */
export async function loadPlaybackStart(
  deps: Deps,
  caller: Viewer,
  { type, slug, season, episode, decoders, audio_language }: PlaybackStartRequest,
): Promise<PlaybackStart | undefined> {
  limitLookupRate(deps, caller.account.account_id)
  const { acting } = caller
  if (!acting) return undefined
  const context = { deps, caller: { ...caller, profile: { ...acting, enterable: true } } }
  const media = await loadTitleDetails(deps, caller, type, { slug })
  const seasonSummary = media.seasons?.find((candidate) => candidate.season_number === season)
  const episodeNumbers = type === 'tv' ? { season: season ?? 0, episode: episode ?? 0 } : {}
  const [progressHistory, stream, seasonEpisodes] = await Promise.all([
    loadProgress(context, { type, mediaId: media.id }),
    lookUpLocalStream(deps, caller, {
      type,
      imdbId: media.imdb_id ?? media.id,
      quality: 'auto',
      decoders,
      audioLanguage: audio_language,
      ...episodeNumbers,
    }),
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
