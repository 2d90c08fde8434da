/** Loads everything that the player needs to start, in one response (docs/decisions/0016-early-playback.md). */

import type { PlaybackStart, PlaybackStartRequest } from '../../../src/lib/contract/playback.ts'
import type { Viewer } from '../auth/caller.ts'
import { listEpisodes } from '../catalogue/episodes.ts'
import { loadTitleDetails, parseId } from '../catalogue/titles.ts'
import type { Deps } from '../deps.ts'
import { loadProgress } from '../progress/progress.ts'
import { limitLookupRate } from './lookup-rate.ts'
import { lookUpLocalStream } from './stream.ts'

/**
 * Loads details, progress, episodes and stream of a title. The result has no stream if the title has no local source
 * now (`lookUpLocalStream`). Returns undefined without an acting profile. Throws 403 when the viewing time is used up,
 * 404 when the caller may not see the title, and 429 after too many stream lookups of the account.
 */
export async function loadPlaybackStart(
  deps: Deps,
  caller: Viewer,
  { type, slug, season, episode, decoders, audio_language, audio_kind }: PlaybackStartRequest,
): Promise<PlaybackStart | undefined> {
  limitLookupRate(deps, caller.account.account_id)
  const { acting: actingProfile } = caller
  if (!actingProfile) return undefined
  const context = { deps, caller: { ...caller, profile: { ...actingProfile, enterable: true } } }
  const titleDetails = await loadTitleDetails(deps, caller, type, { slug })
  const seasonSummary = titleDetails.seasons?.find((candidate) => candidate.season_number === season)
  const episodeNumbers = type === 'tv' ? { season: season ?? 0, episode: episode ?? 0 } : {}
  const [progressHistory, stream, seasonEpisodes] = await Promise.all([
    loadProgress(context, { type, mediaId: titleDetails.id }),
    lookUpLocalStream(deps, caller, {
      type,
      titleIdentifier: titleDetails.imdb_id ?? titleDetails.id,
      quality: 'auto',
      decoders,
      audioLanguage: audio_language,
      audioKind: audio_kind,
      ...episodeNumbers,
    }),
    seasonSummary && listEpisodes(deps, caller, parseId(seasonSummary.id)),
  ])
  const { profile_id } = actingProfile
  return {
    profile_id,
    media: titleDetails,
    history: progressHistory,
    ...(seasonEpisodes && { episodes: seasonEpisodes }),
    ...(stream && { stream }),
  }
}
