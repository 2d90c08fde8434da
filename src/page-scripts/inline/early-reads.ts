/** Splits the refresh reply into responses by URL, as if the player had requested each of them. */
import type { refreshTokens } from '../../lib/contract/auth.ts'
import { getMovieBySlug, getSeriesBySlug, listEpisodes } from '../../lib/contract/catalogue.ts'
import type { ReplyOf } from '../../lib/contract/endpoint.ts'
import type { MediaDetails } from '../../lib/contract/media.ts'
import {
  getEpisodeStream,
  getMovieStream,
  type PlaybackStart,
  type StreamInfo,
} from '../../lib/contract/playback.ts'
import { getTitleProgress } from '../../lib/contract/progress.ts'
import { buildEndpointUrl } from '../../lib/endpoint-url.ts'
import { readDeliveryOptions } from '../../lib/playback-environment.ts'
import { getStreamQuery, type PlaybackRequest } from '../../lib/rules/playback-start.ts'
import { readActingProfileId } from '../../lib/storage.ts'

export type RefreshReply = ReplyOf<typeof refreshTokens>

export const buildTitleUrl = ({ type, slug }: PlaybackRequest) =>
  buildEndpointUrl(type === 'tv' ? getSeriesBySlug : getMovieBySlug, { params: { slug } })

function buildStreamUrl({ type, season = 0, episode = 0 }: PlaybackRequest, media: MediaDetails): string {
  const titleIdentifier = media.imdb_id ?? media.id
  const query = { ...getStreamQuery(media), ...readDeliveryOptions(readActingProfileId()) }
  return type === 'tv'
    ? buildEndpointUrl(getEpisodeStream, { params: { imdbId: titleIdentifier, season, episode }, query })
    : buildEndpointUrl(getMovieStream, { params: { imdbId: titleIdentifier }, query })
}

/**
 * Adds the progress, the episodes and the stream of the refresh reply to `reads`, each as the response to its
 * own URL. Returns the response of the title, which the caller adds.
 */
export async function addPlaybackReads(
  reads: EarlyPlayback['reads'],
  request: PlaybackRequest,
  { profile_id, media, history, episodes, stream }: PlaybackStart,
  scriptPermission: Promise<unknown>,
): Promise<Response> {
  const addRead = (url: string, replyBody: object) => {
    reads[url] = scriptPermission.then(() => Response.json(replyBody))
  }
  const { type, season } = request
  const urlParams = { id: profile_id, type, mediaId: media.id }
  addRead(buildEndpointUrl(getTitleProgress, { params: urlParams }), history)
  const seasonId = media.seasons?.find((candidate) => candidate.season_number === season)?.id
  if (episodes && seasonId) addRead(buildEndpointUrl(listEpisodes, { params: { id: seasonId } }), episodes)
  if (stream) addRead(buildStreamUrl(request, media), stream)
  await scriptPermission
  return Response.json(media)
}

/**
 * Requests the stream of a title whose stream is not in the refresh reply, because only the stream resolver knows it.
 * Returns null for an error response. The player receives the same response.
 */
export async function lookUpStream(
  reads: EarlyPlayback['reads'],
  request: PlaybackRequest,
  accessToken: string,
  { profile_id, media }: PlaybackStart,
): Promise<StreamInfo | null> {
  const url = buildStreamUrl(request, media)
  const headers = { Authorization: `Bearer ${accessToken}`, 'X-Profile-Id': profile_id }
  const streamResponsePromise = fetch(url, { headers, credentials: 'include' })
  reads[url] = streamResponsePromise.then((response) => response.clone())
  const response = await streamResponsePromise
  return response.ok ? response.json() : null
}
