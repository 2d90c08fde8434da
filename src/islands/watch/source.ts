/**
 * Selects the source of a stream, reconnects after network errors at the same position, and reports playback errors.
 */
import { atom, computed } from 'nanostores'
import { ApiError } from '../../lib/client/errors.ts'
import type { Stream } from '../../lib/contract/playback.ts'
import { placeIn } from '../../lib/rules/player-next.ts'
import { coarser, isHls, type QualityWish, qualitiesOf, sourceOrder } from '../../lib/rules/player-quality.ts'
import { $player, type Ready, renewStream } from '../../lib/stores/player.ts'
import { $user } from '../../lib/stores/session.ts'
import { $started, $waiting, adopt, currentPlace, picture, play, reset, seekTo } from './deck.ts'
import type { HlsLine } from './hls.ts'

type StreamSource = Stream['sources'][number]

export const $fault = atom<'network' | 'format' | null>(null)
export const $source = atom<StreamSource | null>(null)
/** Quality selected in this player; null means the account's preference. */
const $qualityOverride = atom<QualityWish | null>(null)
export const $wish = computed(
  [$qualityOverride, $user],
  (override, user): QualityWish => override ?? user?.preferences.media_quality ?? 'auto',
)
/** Heights in pixels that an adaptive source offers, the highest first. */
export const $levels = atom<number[]>([])
export const $qualities = computed([$player, $levels], (player, levels) =>
  player.status !== 'ready'
    ? []
    : levels.length > 1
      ? levels.map((height) => `${height}p`)
      : qualitiesOf(player.stream.sources),
)

const RETRY_MS = 5_000
/** Playback that stalls this long counts as a lost connection, even if the browser reports no error. */
const STALL_TIMEOUT_MS = 15_000
const STALL_CHECK_INTERVAL_MS = 1_200
const STALLS_BEFORE_LOWER_QUALITY = 2

let hls: HlsLine | null = null
/** Sources of this title that failed. */
let failedSources = new Set<string>()
/** True once the stream was looked up again since playback last ran. */
let hasRenewedStream = false
let stallCount = 0
let shouldPlay = true
let retryTimer: ReturnType<typeof setTimeout> | undefined
let stallTimer: ReturnType<typeof setTimeout> | undefined

/** Starts the stream that `$player` has loaded, at its start position. */
export function startStream(start: Ready['start']): void {
  const { at: startSeconds } = start
  failedSources = new Set()
  hasRenewedStream = false
  stallCount = 0
  clearTimeout(retryTimer)
  $fault.set(null)
  $levels.set([])
  reset(startSeconds)
  const firstSource = bestSource()
  const video = picture()
  const seekToStart = () => {
    if (video && startSeconds > 0) seekTo(placeIn(video.duration, start))
  }
  if (startSeconds > 0) video?.addEventListener('loadedmetadata', seekToStart, { once: true })
  /* The inline script of the page may already have started it (layouts/early-picture.js). */
  if (
    firstSource &&
    video &&
    (video.dataset['plays'] ?? video.getAttribute('src')) === firstSource.url &&
    !video.error
  ) {
    $source.set(firstSource)
    shouldPlay = true
    adopt()
  } else void loadSource(firstSource, startSeconds, true)
}

/** Stops all timers and hls.js, and clears the source. */
export function stopStream(): void {
  clearTimeout(retryTimer)
  clearTimeout(stallTimer)
  hls?.end()
  hls = null
  $fault.set(null)
  $source.set(null)
}

/** Switches to another quality at the same position; playback continues if it was playing. */
export function setQuality(quality: QualityWish): void {
  $qualityOverride.set(quality)
  stallCount = 0
  if (hls) {
    hls.setLines(Number.parseInt(quality, 10) || null)
    return
  }
  const source = bestSource()
  if (source && source.url !== $source.get()?.url)
    void loadSource(source, currentPlace(), picture()?.paused === false)
}

function candidates(): StreamSource[] {
  const player = $player.get()
  if (player.status !== 'ready') return []
  const connection = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection
  return sourceOrder(player.stream.sources, $wish.get(), {
    canPlay,
    screen: Math.min(screen.width, screen.height) * devicePixelRatio,
    saveData: connection?.saveData === true,
    line: connection?.effectiveType,
  })
}
const bestSource = () =>
  candidates().find(({ quality, mime_type }) => !failedSources.has(quality + mime_type)) ?? null
const canPlay = (type: string) =>
  type === '' || picture()?.canPlayType(type) !== '' || (isHls(type) && 'MediaSource' in window)

async function loadSource(
  source: StreamSource | null,
  startSeconds: number,
  shouldStart: boolean,
): Promise<void> {
  const video = picture()
  if (!video) return
  hls?.end()
  hls = null
  delete video.dataset['plays']
  $source.set(source)
  if (!source) return $fault.set('format')
  shouldPlay = shouldStart
  if (isHls(source.mime_type) && video.canPlayType(source.mime_type) === '') {
    const { openHls } = await import('./hls.ts')
    if ($source.get() !== source) return
    hls = openHls(video, source.url, startSeconds, {
      onLevels: (levels) => $levels.set(levels),
      onBroken: handleHlsError,
    })
  } else {
    video.src = source.url
    /* Before metadata is loaded, this sets the "default playback start position" (HTML standard). */
    if (startSeconds > 0) video.currentTime = startSeconds
  }
  if (shouldStart) play()
}

function handleHlsError(kind: 'network' | 'format'): void {
  if (kind === 'network') handleConnectionLost()
  else void trySourceAfter($source.get())
}

/** Handles `error` events of the element. */
export async function onError(): Promise<void> {
  const error = picture()?.error
  if (!error || $fault.get() || hls) return
  if (error.code === MediaError.MEDIA_ERR_NETWORK || !navigator.onLine) return handleConnectionLost()
  /*
   * MEDIA_ERR_SRC_NOT_SUPPORTED stands for an unsupported format and for an expired address; a renewed address tells
   * which.
   */
  if (hasRenewedStream) return trySourceAfter($source.get())
  await renewAndReload(currentPlace(), shouldPlay)
}

async function trySourceAfter(source: StreamSource | null): Promise<void> {
  if (source) failedSources.add(source.quality + source.mime_type)
  await loadSource(bestSource(), currentPlace(), shouldPlay)
}

/** Shows the network error, and retries until the connection is back; the position is kept. */
function handleConnectionLost(): void {
  if ($fault.get() === 'network') return
  $fault.set('network')
  retryTimer = setTimeout(() => void reconnect(), RETRY_MS)
}

export async function reconnect(): Promise<void> {
  if ($fault.get() !== 'network') return
  clearTimeout(retryTimer)
  await renewAndReload(currentPlace(), shouldPlay)
}

async function renewAndReload(startSeconds: number, shouldStart: boolean): Promise<void> {
  const player = $player.get()
  if (player.status !== 'ready') return
  try {
    await renewStream()
  } catch (error) {
    const { status } = error instanceof ApiError ? error : { status: 0 }
    if (status === 404) $player.set({ status: 'nothing', media: player.media })
    else if (error instanceof ApiError && status >= 400 && status < 500 && status !== 429)
      $player.set({ status: 'failed', error })
    else {
      if ($fault.get() === null) $fault.set('network')
      retryTimer = setTimeout(() => void reconnect(), RETRY_MS)
    }
    return
  }
  const renewedPlayer = $player.get()
  if (renewedPlayer.status !== 'ready' || renewedPlayer.key !== player.key) return
  hasRenewedStream = true
  $fault.set(null)
  await loadSource(bestSource(), startSeconds, shouldStart)
}

/** Handles `playing` events. */
function onPlaying(): void {
  clearTimeout(stallTimer)
  hasRenewedStream = false
  shouldPlay = true
}

function onWaiting(): void {
  clearTimeout(stallTimer)
  const stalledSinceMs = performance.now()
  const checkStall = () => {
    if (!$waiting.get() || $fault.get()) return
    if (!navigator.onLine || performance.now() - stalledSinceMs > STALL_TIMEOUT_MS)
      return handleConnectionLost()
    stallTimer = setTimeout(checkStall, STALL_CHECK_INTERVAL_MS)
  }
  stallTimer = setTimeout(checkStall, STALL_CHECK_INTERVAL_MS)
  const video = picture()
  if ($started.get() && video && !video.seeking && !hls && ++stallCount >= STALLS_BEFORE_LOWER_QUALITY)
    lowerQuality()
}

/** Lowers the quality when it is selected automatically and the connection is too slow for it. */
function lowerQuality(): void {
  const player = $player.get()
  const source = $source.get()
  if ($wish.get() !== 'auto' || player.status !== 'ready' || !source) return
  const lowerSource = coarser(
    player.stream.sources.filter(({ mime_type }) => canPlay(mime_type)),
    source,
  )
  if (!lowerSource) return
  stallCount = 0
  void loadSource(lowerSource, currentPlace(), picture()?.paused === false)
}

export function watchLine(video: HTMLVideoElement): void {
  video.addEventListener('error', () => void onError())
  video.addEventListener('waiting', onWaiting)
  video.addEventListener('playing', onPlaying)
  video.addEventListener('pause', () => {
    if (!$fault.get() && video.readyState > 0) shouldPlay = false
  })
}

export const audioLine = () => hls
