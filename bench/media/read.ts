/**
 * Client process of the media benchmark: `read.ts fast URL` downloads one body at full speed,
 * `read.ts viewers URL COUNT SECONDS BITS SIZE` simulates COUNT players at BITS per second. Prints one JSON object.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [mode, urlText = '', ...viewerArguments] = process.argv.slice(2)
const url = new URL(urlText)

/**
 * Sends a GET request and calls `onBytes` for each chunk. All sockets share one buffer, because the bytes are
 * discarded.
 */
function openRequest(
  buffer: Buffer,
  onBytes: (count: number, head: string | null) => boolean,
  range?: string,
) {
  let hasStarted = false
  const socket = connect({
    port: Number(url.port),
    host: url.hostname,
    onread: {
      buffer,
      callback: (count) => {
        const head = hasStarted ? null : buffer.toString('latin1', 0, Math.min(count, 2_000))
        hasStarted = true
        return onBytes(count, head)
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
  let bytes = 0
  let status = ''
  const startMs = performance.now()
  const socket = openRequest(Buffer.alloc(1024 * 1024), (count, head) => {
    bytes += count
    if (head) status = head.slice(9, 12)
    return true
  })
  socket.on('close', () => {
    const seconds = (performance.now() - startMs) / 1000
    process.stdout.write(
      JSON.stringify({ status, bytes, seconds, megabytesPerSecond: bytes / 1e6 / seconds }),
    )
  })
}

interface Viewer {
  startMs: number
  bytes: number
  status: string
  hasStalled: boolean
  /** Smallest difference in ms between the buffered and the played position. */
  leastLeadMs: number
  isPaused: boolean
}
const BUFFER_MS = 2_000
/** Delay between the starts of two players, because real viewers do not start in the same millisecond. */
const START_INTERVAL_MS = 10

/** Simulates players that buffer two seconds and then play. A player has stalled when the next byte did not arrive in time. */
async function simulateViewers(
  count: number,
  seconds: number,
  bitsPerSecond: number,
  size: number,
): Promise<void> {
  const bytesPerMs = bitsPerSecond / 8 / 1000
  const buffer = Buffer.alloc(64 * 1024)
  const players: { viewer: Viewer; socket: Socket }[] = []
  const computeTargetBytes = ({ startMs }: Viewer) => bytesPerMs * (performance.now() - startMs + BUFFER_MS)
  const updatePlayers = () => {
    for (const { viewer, socket } of players) {
      const playedMs = performance.now() - viewer.startMs - BUFFER_MS
      if (playedMs > 0)
        viewer.leastLeadMs = Math.min(viewer.leastLeadMs, viewer.bytes / bytesPerMs - playedMs)
      viewer.hasStalled ||= viewer.leastLeadMs < 0
      if (!viewer.isPaused || viewer.bytes > computeTargetBytes(viewer)) continue
      viewer.isPaused = false
      socket.resume()
    }
  }
  const timer = setInterval(updatePlayers, 50)
  for (let index = 0; index < count; index++) {
    const viewer: Viewer = {
      startMs: performance.now(),
      bytes: 0,
      status: '',
      hasStalled: false,
      leastLeadMs: 1e9,
      isPaused: false,
    }
    const onBytes = (count: number, head: string | null) => {
      viewer.bytes += count
      if (head) viewer.status = head.slice(9, 12)
      viewer.isPaused = viewer.bytes > computeTargetBytes(viewer)
      return !viewer.isPaused
    }
    players.push({
      viewer,
      socket: openRequest(buffer, onBytes, `bytes=${Math.floor((size * 0.7 * index) / count)}-`),
    })
    await pause(START_INTERVAL_MS)
  }
  const [startMs, bytesBefore] = [performance.now(), sumBytes(players)]
  await pause(seconds * 1000)
  clearInterval(timer)
  const megabitsPerSecond = Math.round(
    ((sumBytes(players) - bytesBefore) * 8) / 1000 / (performance.now() - startMs),
  )
  for (const { socket } of players) socket.destroy()
  const refusedCount = players.filter(({ viewer }) => viewer.status !== '206').length
  const stalled = players.filter(({ viewer }) => viewer.hasStalled).length
  const leastLeadMs = Math.round(Math.min(...players.map(({ viewer }) => viewer.leastLeadMs)))
  process.stdout.write(JSON.stringify({ refused: refusedCount, stalled, leastLeadMs, megabitsPerSecond }))
}

const sumBytes = (players: { viewer: Viewer }[]) => players.reduce((sum, { viewer }) => sum + viewer.bytes, 0)

if (mode === 'fast') downloadAtFullSpeed()
else
  await simulateViewers(
    Number(viewerArguments[0]),
    Number(viewerArguments[1]),
    Number(viewerArguments[2]),
    Number(viewerArguments[3]),
  )
