/** Looks up the stream of a movie or an episode, with the tracks that the viewer has chosen for it. */
import { callApi } from '../client/call.ts'
import type { MediaDetails } from '../contract/media.ts'
import type { StreamInfo } from '../contract/playback.ts'
import * as calls from '../contract/playback.ts'
import { readDeliveryOptions } from '../playback-environment.ts'
import type { EpisodeRef } from '../rules/episode-order.ts'
import { getStreamQuery } from '../rules/playback-start.ts'
import { perProfile } from './per-profile.ts'
import { $profileId } from './profile.ts'

/** A movie (`episode` is null), or an episode of a series. */
interface PlayerVideo {
  media: MediaDetails
  episode: EpisodeRef | null
}
/** The choice of a track. It applies to one movie or episode, because the ids of tracks differ from file to file. */
interface ChosenTrack {
  videoKey: string
  id: number
}
const $chosenAudioTrack = perProfile<ChosenTrack | null>(() => null)
/** The picture subtitle that the server draws into the video. */
const $burntInSubtitle = perProfile<ChosenTrack | null>(() => null)

const getVideoKey = ({ media, episode }: PlayerVideo) =>
  episode ? `${media.id}/${episode.season_number}:${episode.episode_number}` : media.id

/** Returns the id of the chosen track if the track was chosen for this video, else null. */
const findChosenTrack = (track: ChosenTrack | null, video: PlayerVideo): number | null =>
  track?.videoKey === getVideoKey(video) ? track.id : null

export const setAudioTrack = (video: PlayerVideo, audioTrackId: number): void =>
  $chosenAudioTrack.set({ videoKey: getVideoKey(video), id: audioTrackId })

export const findBurntInSubtitle = (video: PlayerVideo) => findChosenTrack($burntInSubtitle.get(), video)
export const setBurntInSubtitle = (video: PlayerVideo, subtitleId: number): void =>
  $burntInSubtitle.set({ videoKey: getVideoKey(video), id: subtitleId })
export const removeBurntInSubtitle = (): void => $burntInSubtitle.set(null)

export function lookUpStream(video: PlayerVideo): Promise<StreamInfo> {
  const { media, episode } = video
  const titleIdentifier = media.imdb_id ?? media.id
  const audioTrackId = findChosenTrack($chosenAudioTrack.get(), video)
  const subtitleId = findBurntInSubtitle(video)
  const query = {
    ...getStreamQuery(media),
    ...readDeliveryOptions($profileId.get()),
    ...(audioTrackId !== null && { audio: audioTrackId }),
    ...(subtitleId !== null && { burnt_in_subtitle: subtitleId }),
  }
  if (!episode) return callApi(calls.getMovieStream, { params: { imdbId: titleIdentifier }, query })
  const episodeParams = {
    imdbId: titleIdentifier,
    season: episode.season_number,
    episode: episode.episode_number,
  }
  return callApi(calls.getEpisodeStream, { params: episodeParams, query })
}
