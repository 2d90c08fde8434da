/**
 * Draws styled subtitles (ASS) with libass in a worker. This module is loaded when such a track is chosen.
 * The main-thread part of jassub is not used: it compiles WebAssembly in the page, which the
 * Content-Security-Policy forbids, and it contains GPL code (docs/decisions/0034-drawn-subtitles.md).
 */
import defaultFontUrl from 'jassub/dist/default.woff2?url'
import wasmUrl from 'jassub/dist/wasm/jassub-worker.wasm?url'
import { hasLettersWithoutFont, scaleAssDialogue } from '../../lib/rules/ass-style.ts'
import type { AssCall, AssReply } from './ass-messages.ts'
import workerUrl from './ass-worker.ts?worker&url'
import {
  type CaptionDrawing,
  type CaptionDrawingOptions,
  createCaptionCanvas,
  watchFrames,
} from './caption-canvas.ts'

const START_TIMEOUT_MS = 20_000
/**
 * A hostile subtitle script can keep the worker busy forever. A worker that does not reply within this time
 * is terminated.
 */
const REPLY_TIMEOUT_MS = 8_000
const CHECK_INTERVAL_MS = 5_000
/**
 * Largest height of the drawing. More pixels take longer to draw, and a viewer at a usual distance does not see them.
 */
const MAX_RENDER_HEIGHT_PX = 1440

interface StyledCaptionSource {
  script: string
  fontUrls: string[]
}

/** Returns the script of a track and the URLs of its fonts. Throws if the server rejects a request. */
export async function loadStyledCaptionSource(folderUrl: string): Promise<StyledCaptionSource> {
  const [script = '', fontsJson = '[]'] = await Promise.all(
    ['track.ass', 'fonts.json'].map(async (name) => {
      const response = await fetch(folderUrl + name)
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      return response.text()
    }),
  )
  const fontNames = JSON.parse(fontsJson) as string[]
  return { script, fontUrls: fontNames.map((name) => resolveUrl(folderUrl + name)) }
}

const resolveUrl = (path: string) => new URL(path, location.href).href

/**
 * Draws a script over the video. Throws if this browser cannot draw the script. Also throws if `fontUrls` is empty and
 * the default font lacks letters of the script. The caller then shows plain text.
 */
export async function drawStyledCaptions(
  { script, fontUrls }: StyledCaptionSource,
  { video, delaySeconds, size, onFailed }: CaptionDrawingOptions,
): Promise<CaptionDrawing> {
  if (fontUrls.length === 0 && hasLettersWithoutFont(script)) throw new Error('no font for these letters')
  const canvas = createCaptionCanvas()
  const worker = startWorker()
  try {
    const offscreenCanvas = canvas.transferControlToOffscreen()
    const startOptions = {
      wasmUrl: resolveUrl(wasmUrl),
      script: scaleAssDialogue(script, size),
      canvas: offscreenCanvas,
    }
    const fontOptions = { fontUrls: [resolveUrl(defaultFontUrl), ...fontUrls] }
    await worker.sendCall({ call: 'start', ...startOptions, ...fontOptions }, START_TIMEOUT_MS, [
      offscreenCanvas,
    ])
  } catch (error) {
    worker.endWorker()
    throw error
  }
  const captionView = createCaptionView(worker, canvas, video, delaySeconds)
  const stopCaptions = () => {
    clearInterval(timer)
    captionView.stop()
    worker.endWorker()
    canvas.remove()
  }
  const timer = setInterval(() => {
    worker.sendCall({ call: 'ping' }, REPLY_TIMEOUT_MS).catch(() => {
      stopCaptions()
      onFailed()
    })
  }, CHECK_INTERVAL_MS)
  return {
    canvas,
    destroy: stopCaptions,
    setDelay: captionView.setDelay,
    setSize: (newSize) =>
      void worker
        .sendCall({ call: 'setTrack', script: scaleAssDialogue(script, newSize) }, REPLY_TIMEOUT_MS)
        .then(captionView.repaint)
        .catch(() => {}),
  }
}

interface AssWorker {
  /**
   * Resolves when the worker has replied. Rejects if the worker reports an error, fails, or does not reply in
   * time.
   */
  sendCall: (call: AssCall, timeoutMs: number, transfer?: Transferable[]) => Promise<void>
  endWorker: () => void
}

function startWorker(): AssWorker {
  const worker = new Worker(workerUrl, { type: 'module' })
  const replyHandlersById = new Map<number, (error: string | null) => void>()
  let nextId = 0
  worker.addEventListener('message', ({ data: { id, error } }: MessageEvent<AssReply>) =>
    replyHandlersById.get(id)?.(error),
  )
  worker.addEventListener('error', () => {
    for (const replyHandler of [...replyHandlersById.values()]) replyHandler('the worker failed')
  })
  return {
    sendCall: (call, timeoutMs, transfer = []) =>
      new Promise((resolve, reject) => {
        const id = nextId++
        const timer = setTimeout(() => replyHandlersById.get(id)?.('no reply'), timeoutMs)
        replyHandlersById.set(id, (error) => {
          clearTimeout(timer)
          replyHandlersById.delete(id)
          if (error === null) resolve()
          else reject(new Error(error))
        })
        worker.postMessage({ ...call, id }, transfer)
      }),
    endWorker: () => worker.terminate(),
  }
}

/**
 * Draws the subtitles of the video frames, one frame at a time. Frames that appear while another frame is
 * being drawn are skipped.
 */
function createCaptionView(
  worker: AssWorker,
  canvas: HTMLCanvasElement,
  video: HTMLVideoElement,
  delaySeconds: number,
) {
  let offsetSeconds = -delaySeconds
  let mediaSeconds = video.currentTime
  let isDrawing = false
  let isRepaintNeeded = false
  let renderedSizeKey = ''
  const resizeCanvas = async () => {
    const { videoWidth, videoHeight } = video
    const scale = Math.min(canvas.clientWidth / videoWidth, canvas.clientHeight / videoHeight)
    const heightPx = Math.min(MAX_RENDER_HEIGHT_PX, Math.round(videoHeight * scale * devicePixelRatio))
    const widthPx = Math.round((heightPx * videoWidth) / videoHeight)
    const sizeKey = `${widthPx} ${heightPx} ${videoWidth}`
    if (!(widthPx > 0 && heightPx > 0) || sizeKey === renderedSizeKey) return
    renderedSizeKey = sizeKey
    await worker.sendCall(
      { call: 'resize', width: widthPx, height: heightPx, videoWidth, videoHeight },
      REPLY_TIMEOUT_MS,
    )
    isRepaintNeeded = true
  }
  const drawFrame = async () => {
    if (isDrawing) return
    isDrawing = true
    try {
      await resizeCanvas()
      const shouldRepaint = isRepaintNeeded
      isRepaintNeeded = false
      const seconds = mediaSeconds + offsetSeconds
      await worker.sendCall({ call: 'draw', seconds, shouldRepaint }, REPLY_TIMEOUT_MS)
    } catch {
      // The error is ignored, because the regular check handles a worker that no longer replies.
    }
    isDrawing = false
    if (isRepaintNeeded) void drawFrame()
  }
  const requestRepaint = () => {
    isRepaintNeeded = true
    void drawFrame()
  }
  const observer = new ResizeObserver(requestRepaint)
  observer.observe(canvas)
  const stopWatching = watchFrames(video, (seconds) => {
    mediaSeconds = seconds
    void drawFrame()
  })
  requestRepaint()
  return {
    repaint: requestRepaint,
    setDelay: (seconds: number) => {
      offsetSeconds = -seconds
      requestRepaint()
    },
    stop: () => {
      observer.disconnect()
      stopWatching()
    },
  }
}
