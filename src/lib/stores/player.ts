/** State of the player: the title and episode of the URL, the sources and the position to resume at. */
import { callApi } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Episode, MediaDetails } from '../contract/media.ts'
import type { StreamInfo } from '../contract/playback.ts'
import type { PlaybackProgress } from '../contract/progress.ts'
import { type AudioTrackChoice, storeAudioPreference } from '../playback-environment.ts'
import { formatLocalDay } from '../rules/calendar-days.ts'
import { compareEpisodes } from '../rules/episode-order.ts'
import { findFirstEpisode, findSeriesContinuation } from '../rules/next-up.ts'
import { findRequestedProgress, type PlaybackRequest, parsePlaybackRequest } from '../rules/playback-start.ts'
import { getResumePosition } from '../rules/player-prompts.ts'
import type { ProgressOrReport, ProgressWithReports } from './merge-reports.ts'
import { perProfile } from './per-profile.ts'
import {
  $episodesBySeason,
  findSeason,
  loadAdjacentSeasonsWithRetries,
  loadSeason,
} from './player-seasons.ts'
import {
  findBurntInSubtitle,
  lookUpStream,
  removeBurntInSubtitle,
  setAudioTrack,
  setBurntInSubtitle,
} from './player-stream.ts'
import { $profileId } from './profile.ts'
import { loadProgressWithReports } from './save-progress.ts'

export interface StartPosition {
  /** Position to resume at. */
  positionSeconds: number
  /** Duration of the video when the position was saved; 0 if unknown. */
  durationSeconds: number
  /** True if the server may not have stored the position yet. */
  isUnsent: boolean
}
export interface ReadyPlayerState {
  status: 'ready'
  /** Identifies the movie or episode. Does not change when the stream is renewed. */
  key: string
  media: MediaDetails
  episode: Episode | null
  /** Progress of the profile in the episodes of the series; empty for a movie. */
  episodeProgress: PlaybackProgress[]
  stream: StreamInfo
  startPosition: StartPosition
}
export type PlayerState =
  | { status: 'pending' }
  | { status: 'nothing'; media: MediaDetails | null }
  | { status: 'failed'; error: ApiError }
  | ReadyPlayerState
export const $player = perProfile<PlayerState>(() => ({ status: 'pending' }))
/** True while a movie or an episode is loading. The previous episode, if there is one, stays displayed meanwhile. */
export const $isEpisodeLoading = perProfile<boolean>(() => false)

/** URL query of the title that is open or being loaded; null when the player is closed. */
const $openedQuery = perProfile<string | null>(() => null)
/** Incremented when a URL is opened and when the player is closed, so that an outdated result can be discarded. */
let openingCount = 0

/**
 * Opens the title in a query: `type`, `slug`, and for series `season` and `episode`. Does nothing when the title is
 * already open or being loaded.
 */
export async function openPlayer(search: string): Promise<void> {
  const profileId = $profileId.get()
  if (!profileId || search === $openedQuery.get()) return
  $openedQuery.set(search)
  const openingNumber = ++openingCount
  removeBurntInSubtitle()
  $isEpisodeLoading.set(true)
  const newState = await loadPlayer(parsePlaybackRequest(search), profileId).catch(toFailedState)
  if (openingNumber !== openingCount) return
  $isEpisodeLoading.set(false)
  $player.set(newState)
  if (newState.status === 'ready')
    void loadAdjacentSeasonsWithRetries(
      newState.media,
      newState.episode,
      () => openingNumber === openingCount,
    )
  else $openedQuery.set(null)
}

export function retryPlayer(): void {
  $openedQuery.set(null)
  void openPlayer(location.search)
}

/** Resets the player when the page is left. */
export function closePlayer(): void {
  $openedQuery.set(null)
  openingCount += 1
  $isEpisodeLoading.set(false)
  $episodesBySeason.set({})
  $player.set({ status: 'pending' })
}

function toFailedState(error: unknown): PlayerState {
  if (error instanceof ApiError && error.status === 404) return { status: 'nothing', media: null }
  const apiError =
    error instanceof ApiError
      ? error
      : new ApiError({ type: 'client_error', status: 500, message: String(error) })
  return { status: 'failed', error: apiError }
}

let renewalCount = 0

/**
 * Requests the stream again, because the URLs of a stream expire and connections break. Returns null and ignores the
 * reply or the error in two cases: the movie or episode is no longer open, or the stream was requested again meanwhile,
 * for example with another audio track. Throws `ApiError`, and `Error` when the player has no title.
 */
export async function renewStream(): Promise<StreamInfo | null> {
  const player = $player.get()
  if (player.status !== 'ready') throw new Error('The player has no title')
  const renewalNumber = ++renewalCount
  const findCurrentPlayer = () => {
    const currentPlayer = $player.get()
    return renewalNumber === renewalCount &&
      currentPlayer.status === 'ready' &&
      currentPlayer.key === player.key
      ? currentPlayer
      : null
  }
  try {
    const stream = await lookUpStream(player)
    const currentPlayer = findCurrentPlayer()
    if (currentPlayer) $player.set({ ...currentPlayer, stream })
    return currentPlayer && stream
  } catch (error) {
    if (!findCurrentPlayer()) return null
    throw error
  }
}

/**
 * Chooses the audio track for the next stream requests of the current movie or episode. Stores the language and
 * the kind of the track as the audio preference of the profile on this device.
 */
export function chooseAudioTrack({ id, ...track }: AudioTrackChoice & { id: number }): void {
  const player = $player.get()
  const profileId = $profileId.get()
  if (player.status !== 'ready' || !profileId) return
  setAudioTrack(player, id)
  storeAudioPreference(profileId, track)
}

/**
 * Chooses the picture subtitle to draw into the video; null for none. Returns true if the stream must be requested
 * again.
 */
export function chooseBurntInSubtitle(subtitleId: number | null): boolean {
  const player = $player.get()
  if (player.status !== 'ready' || findBurntInSubtitle(player) === subtitleId) return false
  if (subtitleId === null) removeBurntInSubtitle()
  else setBurntInSubtitle(player, subtitleId)
  return true
}

async function loadPlayer(request: PlaybackRequest | null, profileId: string): Promise<PlayerState> {
  if (!request) return { status: 'nothing', media: null }
  const { type, slug } = request
  const media = await loadTitle(type, slug)
  const progressPromise = loadProgressWithReports(media, profileId)
  try {
    const readyPlayerState = await (type === 'movie'
      ? loadMovie(media, progressPromise)
      : loadEpisode(media, request, progressPromise))
    return readyPlayerState ?? { status: 'nothing', media }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { status: 'nothing', media }
    throw error
  }
}

async function loadMovie(
  media: MediaDetails,
  progressPromise: Promise<ProgressWithReports>,
): Promise<ReadyPlayerState> {
  const [stream, { latest }] = await Promise.all([lookUpStream({ media, episode: null }), progressPromise])
  return {
    status: 'ready',
    key: media.id,
    media,
    episode: null,
    episodeProgress: [],
    stream,
    startPosition: createStartPosition(latest),
  }
}

/**
 * Returns the player state of the requested episode, or of the episode that `chooseEpisode` chooses. Returns null when
 * the series has no such episode, or the episode is not released yet.
 */
async function loadEpisode(
  media: MediaDetails,
  request: PlaybackRequest,
  progressPromise: Promise<ProgressWithReports>,
): Promise<ReadyPlayerState | null> {
  const episodeRef =
    getRequestedEpisodeRef(request) ?? (await chooseEpisode(media, (await progressPromise).episodes))
  if (!episodeRef) return null
  const [stream, seasonEpisodes, titleProgress] = await Promise.all([
    lookUpStream({ media, episode: episodeRef }),
    loadSeason(findSeason(media, episodeRef.season_number)),
    progressPromise,
  ])
  const episode = seasonEpisodes.find((candidate) => compareEpisodes(candidate, episodeRef) === 0)
  if (!episode?.released) return null
  const requestedProgress = findRequestedProgress(titleProgress, {
    ...request,
    season: episodeRef.season_number,
    episode: episodeRef.episode_number,
  })
  return {
    status: 'ready',
    key: `${media.id}/${episode.id}`,
    media,
    episode,
    episodeProgress: titleProgress.episodes,
    stream,
    startPosition: createStartPosition(requestedProgress),
  }
}

/** Returns the details of a title. Reuses the details that the player has, so that the next episode starts faster. */
async function loadTitle(type: 'movie' | 'tv', slug: string): Promise<MediaDetails> {
  const player = $player.get()
  if (player.status === 'ready' && player.media.slug === slug && player.media.type === type)
    return player.media
  return callApi(type === 'tv' ? catalogue.getSeriesBySlug : catalogue.getMovieBySlug, { params: { slug } })
}

const createStartPosition = (record: ProgressOrReport | null | undefined): StartPosition => ({
  positionSeconds: getResumePosition(record),
  durationSeconds: record?.data.video_duration ?? 0,
  isUnsent: record?.isUnsent ?? false,
})

const getRequestedEpisodeRef = ({ season, episode }: PlaybackRequest) =>
  season === undefined || episode === undefined ? null : { season_number: season, episode_number: episode }

/**
 * Chooses the episode when the URL contains none: the unfinished episode, else the next episode, else the first
 * episode.
 */
async function chooseEpisode(
  media: MediaDetails,
  progressRecords: PlaybackProgress[],
): Promise<Episode | null> {
  const episodes = (await Promise.all((media.seasons ?? []).map(loadSeason))).flat()
  const episodeRecords = progressRecords.map((record) => ({
    season_number: record.season ?? 0,
    episode_number: record.episode ?? 0,
    finished: record.finished,
    updated_at: Date.parse(record.updated_at),
  }))
  return (
    findSeriesContinuation(episodeRecords, episodes, formatLocalDay())?.episode ??
    findFirstEpisode(episodes, formatLocalDay())
  )
}
