/** Plays HLS with hls.js. Loaded only in browsers for which `canPlayNatively` returns false for HLS. */
import Hls from 'hls.js'

export interface HlsPlayback {
  /** Selects the variant with this height in pixels; null selects variants automatically. */
  selectHeight: (height: number | null) => void
  getAudioTracks: () => {
    tracks: { id: number; label: string }[]
    selectedId: number
    select: (id: number) => void
  }
  destroy: () => void
}
/**
 * `busy`: the server replied with 503. `format`: it replied with 415, or hls.js cannot play the media. `rejected`: it
 * replied with any other 4xx status, for example because the URL has expired. `network`: any other failed request.
 */
export type HlsErrorKind = 'network' | 'format' | 'rejected' | 'busy'
interface HlsCallbacks {
  onHeightsLoaded: (heights: number[]) => void
  onError: (kind: HlsErrorKind) => void
  /** Returns false if the viewer has paused the video, or the video has ended. */
  shouldPlay: () => boolean
}

/** Both timeouts are long, because the server may have to convert the requested segment first. */
const FIRST_BYTE_TIMEOUT_MS = 40_000
const LOAD_TIMEOUT_MS = 120_000
const fragmentRetryPolicy = { maxNumRetry: 4, retryDelayMs: 1_000, maxRetryDelayMs: 8_000 }

function getErrorKind(status: number | undefined): HlsErrorKind {
  if (status === 503) return 'busy'
  if (status === 415) return 'format'
  return status !== undefined && status >= 400 && status < 500 ? 'rejected' : 'network'
}

export function attachHls(
  video: HTMLVideoElement,
  url: string,
  startSeconds: number,
  callbacks: HlsCallbacks,
): HlsPlayback {
  /*
   * The worker is disabled, because hls.js starts it from a blob: URL, which the Content-Security-Policy
   * forbids.
   */
  const hls = new Hls({
    enableWorker: false,
    startPosition: startSeconds > 0 ? startSeconds : -1,
    capLevelToPlayerSize: true,
    /*
     * Without this option, hls.js does not request the first segment until its next timer, up to 100 ms after the
     * playlist has arrived.
     */
    startFragPrefetch: true,
    fragLoadPolicy: {
      default: {
        maxTimeToFirstByteMs: FIRST_BYTE_TIMEOUT_MS,
        maxLoadTimeMs: LOAD_TIMEOUT_MS,
        timeoutRetry: fragmentRetryPolicy,
        errorRetry: fragmentRetryPolicy,
      },
    },
  })
  let hasTriedRecovery = false
  /** Recovers once from an error of the media. At the second error, reports that the media cannot be played. */
  const recoverOrFail = () => {
    if (hasTriedRecovery) return callbacks.onError('format')
    hasTriedRecovery = true
    hls.recoverMediaError()
    if (callbacks.shouldPlay()) void video.play().catch(() => {})
  }
  const listenerController = new AbortController()
  // This listener is needed after the last segment: hls.js reports a decoder error only when it loads the next segment.
  video.addEventListener('error', () => video.error && recoverOrFail(), {
    signal: listenerController.signal,
  })
  hls.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
    callbacks.onHeightsLoaded(
      [...new Set(levels.map(({ height }) => height))].filter(Boolean).sort((a, b) => b - a),
    )
  })
  hls.on(Hls.Events.ERROR, (_, { fatal, type, response }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.NETWORK_ERROR) return callbacks.onError(getErrorKind(response?.code))
    if (type === Hls.ErrorTypes.MEDIA_ERROR) recoverOrFail()
    else callbacks.onError('format')
  })
  hls.loadSource(url)
  hls.attachMedia(video)
  return {
    selectHeight: (height) => {
      hls.currentLevel = height === null ? -1 : hls.levels.findIndex((level) => level.height === height)
    },
    getAudioTracks: () => ({
      tracks: hls.audioTracks.map(({ id, name }) => ({ id, label: name })),
      selectedId: hls.audioTrack,
      select: (id) => {
        hls.audioTrack = id
      },
    }),
    destroy: () => {
      listenerController.abort()
      hls.destroy()
    },
  }
}
