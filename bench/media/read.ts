/**
 * Client process of the media benchmark: `read.ts fast URL` downloads one body at full speed,
 * `read.ts viewers URL COUNT SECONDS BITS SIZE` simulates COUNT players of a file of SIZE bytes for SECONDS, each at
 * BITS per second. Prints one JSON object.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [mode, urlText = '', ...viewerArguments] = process.argv.slice(2)
const url = new URL(urlText)

/**
 * Sends a GET request and calls `onChunk` for each chunk. If `onChunk` returns false, the socket pauses until it is
 * resumed. Several sockets may share `buffer`, because the bytes are discarded.
 */
function openRequest(
  buffer: Buffer,
  onChunk: (byteCount: number, responseHead: string | null) => boolean,
  range?: string,
) {
  let hasReceivedBytes = false
  const socket = connect({
    port: Number(url.port),
    host: url.hostname,
    onread: {
      buffer,
      callback: (byteCount) => {
        const responseHead = hasReceivedBytes
          ? null
          : buffer.toString('latin1', 0, Math.min(byteCount, 2_000))
        hasReceivedBytes = true
        return onChunk(byteCount, responseHead)
      },
    },
  })
  const rangeHeader = range ? `Range: ${range}\r\n` : ''
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${rangeHeader}Connection: close\r\n\r\n`,
  )
  return socket
}

function downloadAtFullSpeed(): void {
  let receivedBytes = 0
  let statusCode = ''
  const startMs = performance.now()
  const socket = openRequest(Buffer.alloc(1024 * 1024), (byteCount, responseHead) => {
    receivedBytes += byteCount
    if (responseHead) statusCode = responseHead.slice(9, 12)
    return true
  })
  socket.on('close', () => {
    const durationSeconds = (performance.now() - startMs) / 1000
    process.stdout.write(
      JSON.stringify({
        status: statusCode,
        bytes: receivedBytes,
        seconds: durationSeconds,
        megabytesPerSecond: receivedBytes / 1e6 / durationSeconds,
      }),
    )
  })
}

interface SimulatedViewer {
  startMs: number
  bytes: number
  status: string
  hasStalled: boolean
  /** Smallest difference in ms between the buffered and the played position. */
  smallestBufferLeadMs: number
  isPaused: boolean
}
const PLAYER_BUFFER_MS = 2_000
/** Delay between the starts of two players, because real viewers do not start in the same millisecond. */
const START_INTERVAL_MS = 10

/** Simulates players that buffer two seconds and then play. A player stalls when the next byte arrives too late. */
async function simulateViewers(
  viewerCount: number,
  viewingSeconds: number,
  bitsPerSecond: number,
  fileSizeBytes: number,
): Promise<void> {
  const bytesPerMs = bitsPerSecond / 8 / 1000
  const buffer = Buffer.alloc(64 * 1024)
  const runningPlayers: { viewer: SimulatedViewer; socket: Socket }[] = []
  const computeTargetBytes = ({ startMs }: SimulatedViewer) =>
    bytesPerMs * (performance.now() - startMs + PLAYER_BUFFER_MS)
  const updatePlayers = () => {
    for (const { viewer, socket } of runningPlayers) {
      const playedMs = performance.now() - viewer.startMs - PLAYER_BUFFER_MS
      if (playedMs > 0)
        viewer.smallestBufferLeadMs = Math.min(
          viewer.smallestBufferLeadMs,
          viewer.bytes / bytesPerMs - playedMs,
        )
      viewer.hasStalled ||= viewer.smallestBufferLeadMs < 0
      if (!viewer.isPaused || viewer.bytes > computeTargetBytes(viewer)) continue
      viewer.isPaused = false
      socket.resume()
    }
  }
  const timer = setInterval(updatePlayers, 50)
  for (let index = 0; index < viewerCount; index++) {
    const viewer: SimulatedViewer = {
      startMs: performance.now(),
      bytes: 0,
      status: '',
      hasStalled: false,
      smallestBufferLeadMs: 1e9,
      isPaused: false,
    }
    const onChunk = (byteCount: number, responseHead: string | null) => {
      viewer.bytes += byteCount
      if (responseHead) viewer.status = responseHead.slice(9, 12)
      viewer.isPaused = viewer.bytes > computeTargetBytes(viewer)
      return !viewer.isPaused
    }
    runningPlayers.push({
      viewer,
      socket: openRequest(
        buffer,
        onChunk,
        `bytes=${Math.floor((fileSizeBytes * 0.7 * index) / viewerCount)}-`,
      ),
    })
    await pause(START_INTERVAL_MS)
  }
  const [startMs, bytesBefore] = [performance.now(), sumBytes(runningPlayers)]
  await pause(viewingSeconds * 1000)
  clearInterval(timer)
  const megabitsPerSecond = Math.round(
    ((sumBytes(runningPlayers) - bytesBefore) * 8) / 1000 / (performance.now() - startMs),
  )
  for (const { socket } of runningPlayers) socket.destroy()
  const rejectedCount = runningPlayers.filter(({ viewer }) => viewer.status !== '206').length
  const stalledCount = runningPlayers.filter(({ viewer }) => viewer.hasStalled).length
  const smallestBufferLeadMs = Math.round(
    Math.min(...runningPlayers.map(({ viewer }) => viewer.smallestBufferLeadMs)),
  )
  process.stdout.write(
    JSON.stringify({ rejectedCount, stalledCount, smallestBufferLeadMs, megabitsPerSecond }),
  )
}

const sumBytes = (players: { viewer: SimulatedViewer }[]) =>
  players.reduce((sum, { viewer }) => sum + viewer.bytes, 0)

if (mode === 'fast') downloadAtFullSpeed()
else
  await simulateViewers(
    Number(viewerArguments[0]),
    Number(viewerArguments[1]),
    Number(viewerArguments[2]),
    Number(viewerArguments[3]),
  )
