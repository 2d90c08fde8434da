/**
 * Worker that draws styled subtitles with libass. It replies to each message with the id of the message, and
 * with the error if one occurred. The build gives the file of the worker a special name. Files with such a name get
 * a Content-Security-Policy that allows compiling WebAssembly (src/lib/file-policies.ts).
 */
import { ASSRenderer } from 'jassub/dist/worker/worker.js'
import type { AssReply, AssRequest, AssStartOptions } from './ass-messages.ts'

const MAX_MEMORY_MEGABYTES = 64

interface AssWorkerScope {
  addEventListener: (type: 'message', listener: (event: { data: AssRequest }) => void) => void
  postMessage: (reply: AssReply) => void
}
const scope = globalThis as unknown as AssWorkerScope

let renderer: ASSRenderer | undefined

async function startRenderer({ wasmUrl, script, fontUrls, canvas }: AssStartOptions): Promise<void> {
  // The constructor returns a promise. It resolves with `undefined` if WebAssembly does not start.
  renderer = await new ASSRenderer(
    {
      wasmUrl,
      width: canvas.width,
      height: canvas.height,
      subUrl: undefined,
      subContent: script,
      fonts: fontUrls,
      availableFonts: {},
      defaultFont: 'liberation sans',
      debug: false,
      libassMemoryLimit: MAX_MEMORY_MEGABYTES,
      libassGlyphLimit: 0,
      queryFonts: false,
    },
    () => Promise.resolve(undefined),
    canvas,
  )
}

async function handleRequest(request: AssRequest): Promise<void> {
  if (request.call === 'start') await startRenderer(request)
  if (!renderer) throw new Error('the renderer did not start')
  if (request.call === 'draw') renderer._draw(request.seconds, request.shouldRepaint)
  else if (request.call === 'setTrack') renderer.setTrack(request.script)
  else if (request.call === 'resize')
    renderer._resizeCanvas(request.width, request.height, request.videoWidth, request.videoHeight)
}

scope.addEventListener('message', ({ data }) => {
  handleRequest(data).then(
    () => scope.postMessage({ id: data.id, error: null }),
    (error: unknown) => scope.postMessage({ id: data.id, error: String(error) }),
  )
})
