/**
 * Plays the sources of a stream (source-selection.ts): loads them, reconnects after network errors at the same
 * position, and reports playback errors.
 */
import { atom } from 'nanostores'
import { ApiError } from '../../lib/client/errors.ts'
import { scalePosition } from '../../lib/rules/player-prompts.ts'
import { isHls, type QualityPreference } from '../../lib/rules/player-quality.ts'
import { $player, type ReadyPlayerState, renewStream } from '../../lib/stores/player.ts'
import type { HlsErrorKind, HlsPlayback } from './hls-playback.ts'
import { reportProgress } from './progress-reporting.ts'
import {
  $adaptiveHeights,
  $selectedQuality,
  clearFailedSources,
  excludeFailedSource,
  findBestSource,
  findLowerQualitySource,
  getSourceUrl,
  isConvertedSource,
  isPlayedNatively,
  type StreamSource,
  selectQuality,
} from './source-selection.ts'
import {
  $hasPlaybackStarted,
  $isBuffering,
  getPositionSeconds,
  getVideoElement,
  resetPlayback,
  seekTo,
  startPlayback,
  syncWithVideoElement,
} from './video-element.ts'

/** `busy`: the server already runs the maximum number of conversions. */
export const $playbackError = atom<'network' | 'format' | 'busy' | null>(null)
export const $currentSource = atom<StreamSource | null>(null)
const RETRY_DELAY_MS = 5_000
/** Playback that stalls this long counts as a lost connection, even if the browser reports no error. */
const STALL_TIMEOUT_MS = 15_000
/** Stall timeout for a source that the server may have to convert first. */
const CONVERSION_STALL_TIMEOUT_MS = 45_000
const STALL_CHECK_INTERVAL_MS = 1_200
const STALLS_BEFORE_LOWER_QUALITY = 2

let hls: HlsPlayback | null = null
/**
 * Number of calls of `loadSource`. A call ends early if another call has started while the code of hls.js was loading.
 */
let loadCount = 0
/** True if the stream was looked up again and no frame has played since then. */
let hasRenewedStream = false
let stallCount = 0
/**
 * False after the viewer has paused the video, and after the video has ended. Otherwise true. This differs from
 * `video.paused`, which can also be true while the video is still loading.
 */
let shouldPlay = true
let retryTimer: ReturnType<typeof setTimeout> | undefined
let stallTimer: ReturnType<typeof setTimeout> | undefined

/** Starts the stream that `$player` has loaded, at the given start position. */
export function startStream(startPosition: ReadyPlayerState['startPosition']): void {
  const { positionSeconds: startSeconds } = startPosition
  clearFailedSources()
  hasRenewedStream = false
  stallCount = 0
  clearTimeout(retryTimer)
  $playbackError.set(null)
  $adaptiveHeights.set([])
  resetPlayback(startSeconds)
  const firstSource = findBestSource()
  const video = getVideoElement()
  /*
   * The inline script src/page-scripts/inline/early-playback.ts may already play this source. It is then not loaded
   * again.
   */
  if (firstSource && video?.getAttribute('src') === firstSource.url && !video.error) {
    $currentSource.set(firstSource)
    shouldPlay = true
    syncWithVideoElement()
    // The inline script plays from the position that the server has stored. An unsent position is not stored there yet.
    if (startPosition.isUnsent && video.readyState > 0) seekTo(scalePosition(video.duration, startPosition))
    else if (startPosition.isUnsent) seekWhenLoaded(video, startPosition)
    replaceSourceWithoutPicture()
  } else {
    if (video && startSeconds > 0) seekWhenLoaded(video, startPosition)
    void loadSource(firstSource, startSeconds, true)
  }
}

/**
 * Seeks to the start position as soon as the duration of the file is known, because `scalePosition` needs the duration
 * to adapt a position that was saved in a longer file.
 */
function seekWhenLoaded(video: HTMLVideoElement, startPosition: ReadyPlayerState['startPosition']): void {
  const seekToStartPosition = () => {
    const player = $player.get()
    // If no source of this title could be loaded, this listener runs only when the next title is loaded. It must not
    // seek then.
    if (player.status === 'ready' && player.startPosition === startPosition)
      seekTo(scalePosition(video.duration, startPosition))
  }
  video.addEventListener('loadedmetadata', seekToStartPosition, { once: true })
}

/** Stops all timers and hls.js, and clears `$currentSource` and the error. */
export function stopStream(): void {
  clearTimeout(retryTimer)
  clearTimeout(stallTimer)
  hls?.destroy()
  hls = null
  $playbackError.set(null)
  $currentSource.set(null)
}

/** Switches to another quality at the same position. Playback continues if the video was playing. */
export function switchQuality(quality: QualityPreference): void {
  selectQuality(quality)
  stallCount = 0
  if (hls && $adaptiveHeights.get().length > 1) {
    hls.selectHeight(Number.parseInt(quality, 10) || null)
    return
  }
  const source = findBestSource()
  if (source && source.url !== $currentSource.get()?.url)
    void loadSource(source, getPositionSeconds(), shouldPlay)
}

async function loadSource(
  source: StreamSource | null,
  startSeconds: number,
  shouldStart: boolean,
): Promise<void> {
  const video = getVideoElement()
  if (!video) return
  loadCount += 1
  const loadNumber = loadCount
  hls?.destroy()
  hls = null
  $adaptiveHeights.set([])
  $currentSource.set(source)
  if (!source) return $playbackError.set('format')
  shouldPlay = shouldStart
  const url = getSourceUrl(source, startSeconds)
  if (isHls(source.mime_type) && !isPlayedNatively(source.mime_type)) {
    const playbackModule = await import('./hls-playback.ts').catch(() => null)
    if (loadNumber !== loadCount || $currentSource.get() !== source) return
    // The stream is requested again until the connection is back, which also repeats this import.
    if (!playbackModule) return handleConnectionLost()
    const { attachHls } = playbackModule
    hls = attachHls(video, url, startSeconds, {
      onHeightsLoaded: showAdaptiveHeights,
      onError: handleHlsError,
      shouldPlay: () => shouldPlay,
    })
  } else {
    video.src = url
    /*
     * Before the metadata is loaded, this assignment sets the "default playback start position" (HTML
     * standard).
     */
    if (startSeconds > 0) video.currentTime = startSeconds
  }
  // The viewer may have paused the video while the code of hls.js was loading.
  if (shouldPlay) startPlayback()
}

/**
 * Lists the video heights of an adaptive stream as qualities to choose from. If the stream has several heights, and one
 * of them is the currently selected quality, selects this height.
 */
function showAdaptiveHeights(heights: number[]): void {
  $adaptiveHeights.set(heights)
  const selectedHeight = Number.parseInt($selectedQuality.get(), 10)
  if (heights.length > 1 && heights.includes(selectedHeight)) hls?.selectHeight(selectedHeight)
}

/**
 * Handles an error of hls.js. The server rejects a URL for one of two reasons: the URL has expired, or the file ends
 * before its stated duration. The stream is therefore looked up again. If the server rejects the new URL too, the
 * source counts as failed.
 */
function handleHlsError(kind: HlsErrorKind): void {
  if (kind === 'network') handleConnectionLost()
  else if (kind === 'busy') $playbackError.set('busy')
  else if (kind === 'rejected' && !hasRenewedStream) void reloadStream()
  else void replaceFailedSource($currentSource.get())
}

/**
 * Handles `error` events of the video element. Ignores them while hls.js plays, because hls.js reports its errors
 * itself.
 */
export async function handleVideoError(): Promise<void> {
  const error = getVideoElement()?.error
  if (!error || $playbackError.get() || hls) return
  if (error.code === MediaError.MEDIA_ERR_NETWORK || !navigator.onLine) return handleConnectionLost()
  /*
   * MEDIA_ERR_SRC_NOT_SUPPORTED means an unsupported format or an expired URL. The stream is renewed first: if the
   * error occurs again, the format is unsupported.
   */
  if (hasRenewedStream) return replaceFailedSource($currentSource.get())
  await reloadStream()
}

async function replaceFailedSource(source: StreamSource | null): Promise<void> {
  if (source) excludeFailedSource(source)
  await loadSource(findBestSource(), getPositionSeconds(), shouldPlay)
}

/** Shows the network error and retries until the connection is back. The position is kept. */
function handleConnectionLost(): void {
  if ($playbackError.get() === 'network') return
  $playbackError.set('network')
  retryTimer = setTimeout(() => void retryConnection(), RETRY_DELAY_MS)
}

export async function retryConnection(): Promise<void> {
  if ($playbackError.get() !== 'network' && $playbackError.get() !== 'busy') return
  clearTimeout(retryTimer)
  await reloadStream()
}

/**
 * Looks up the stream again and loads it. Uses the position of the player at the time when the response arrives, and
 * plays only if the viewer has not paused the video by then. If it is called again before the response arrives, only
 * the latest call loads the stream.
 */
export async function reloadStream(): Promise<void> {
  const player = $player.get()
  if (player.status !== 'ready') return
  try {
    if (!(await renewStream())) return
  } catch (error) {
    const { status } = error instanceof ApiError ? error : { status: 0 }
    // The position is saved now, because it cannot be saved after an error screen has replaced the title.
    reportProgress()
    if (status === 404) $player.set({ status: 'nothing', media: player.media })
    else if (error instanceof ApiError && status >= 400 && status < 500 && status !== 429)
      $player.set({ status: 'failed', error })
    else {
      if ($playbackError.get() === null) $playbackError.set('network')
      retryTimer = setTimeout(() => void retryConnection(), RETRY_DELAY_MS)
    }
    return
  }
  hasRenewedStream = true
  $playbackError.set(null)
  await loadSource(findBestSource(), getPositionSeconds(), shouldPlay)
}

/**
 * Replaces the source if the browser plays the sound of the source but cannot decode its picture. Returns true in this
 * case.
 */
function replaceSourceWithoutPicture(): boolean {
  const video = getVideoElement()
  const source = $currentSource.get()
  if (!video || !source || video.readyState < 2 || video.videoWidth > 0) return false
  // The source is removed, because its sound would continue while the code of hls.js loads. Unlike a pause, the removal
  // fires no `pause` event, which would count as a pause by the viewer.
  video.removeAttribute('src')
  video.load()
  void replaceFailedSource(source)
  return true
}

function handlePlaying(): void {
  clearTimeout(stallTimer)
  if (replaceSourceWithoutPicture()) return
  hasRenewedStream = false
}

function handleWaiting(): void {
  clearTimeout(stallTimer)
  const stalledAtMs = performance.now()
  const checkStall = () => {
    if (!$isBuffering.get() || $playbackError.get()) return
    if (!navigator.onLine || performance.now() - stalledAtMs > getStallTimeoutMs())
      return handleConnectionLost()
    stallTimer = setTimeout(checkStall, STALL_CHECK_INTERVAL_MS)
  }
  stallTimer = setTimeout(checkStall, STALL_CHECK_INTERVAL_MS)
  const video = getVideoElement()
  if (
    $hasPlaybackStarted.get() &&
    video &&
    !video.seeking &&
    !hls &&
    ++stallCount >= STALLS_BEFORE_LOWER_QUALITY
  )
    lowerQuality()
}

const getStallTimeoutMs = () =>
  isConvertedSource($currentSource.get()) ? CONVERSION_STALL_TIMEOUT_MS : STALL_TIMEOUT_MS

/**
 * Loads the next lower quality, unless a quality was chosen in the player or in the preferences of the account. Called
 * when playback has stalled STALLS_BEFORE_LOWER_QUALITY times.
 */
function lowerQuality(): void {
  const source = $currentSource.get()
  const lowerQualitySource = source && findLowerQualitySource(source)
  if (!lowerQualitySource) return
  stallCount = 0
  void loadSource(lowerQualitySource, getPositionSeconds(), shouldPlay)
}

export function listenToVideoEvents(video: HTMLVideoElement): void {
  video.addEventListener('error', () => void handleVideoError())
  video.addEventListener('waiting', handleWaiting)
  video.addEventListener('playing', handlePlaying)
  video.addEventListener('play', () => {
    shouldPlay = true
  })
  // Only a pause by the viewer counts, also before the metadata is loaded: if this source then fails, the next source
  // must not start. Three events are not such a pause: the one that Chromium fires after an error, one that arrives
  // after playback has started again, and the one of an element that was detached.
  video.addEventListener('pause', () => {
    if (!video.error && video.paused && video === getVideoElement()) shouldPlay = false
  })
}

export const getHlsPlayback = () => hls
