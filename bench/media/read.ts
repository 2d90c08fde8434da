/**
 * The reading half of the media bench, a process of its own: `read.ts fast URL` reads one body as fast as it comes,
 * `read.ts viewers URL COUNT SECONDS BITS` plays it to many at a steady rate. Prints one JSON object.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [mode, address = '', ...rest] = process.argv.slice(2)
const url = new URL(address)

/** Opens a GET and calls back with each piece's length; the buffer is one for all, as the bytes are thrown away. */
function open(buffer: Buffer, onBytes: (count: number, head: string | null) => boolean, range?: string) {
  let begun = false
  const socket = connect({
    port: Number(url.port),
    host: url.hostname,
    onread: {
      buffer,
      callback: (count) => {
        const head = begun ? null : buffer.toString('latin1', 0, Math.min(count, 2_000))
        begun = true
        return onBytes(count, head)
      },
    },
  })
  const wanted = range ? `Range: ${range}\r\n` : ''
  socket.write(
    `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${wanted}Connection: close\r\n\r\n`,
  )
  return socket
}

function fast(): void {
  let bytes = 0
  let status = ''
  const started = performance.now()
  const socket = open(Buffer.alloc(1024 * 1024), (count, head) => {
    bytes += count
    if (head) status = head.slice(9, 12)
    return true
  })
  socket.on('close', () => {
    const seconds = (performance.now() - started) / 1000
    process.stdout.write(
      JSON.stringify({ status, bytes, seconds, megabytesPerSecond: bytes / 1e6 / seconds }),
    )
  })
}

interface Viewer {
  started: number
  bytes: number
  status: string
  stalled: boolean
  /** Least time between what had come and what was needed, in ms. */
  lead: number
  paused: boolean
}
const AHEAD_MS = 2_000
/** Two hundred people do not press Play in the same millisecond. */
const APART_MS = 10

/** Players that fill two seconds, then play; one stalls when the next byte that it needs has not come. */
async function viewers(count: number, seconds: number, bitsPerSecond: number, size: number): Promise<void> {
  const rate = bitsPerSecond / 8 / 1000
  const buffer = Buffer.alloc(64 * 1024)
  const all: { viewer: Viewer; socket: Socket }[] = []
  const wanted = ({ started }: Viewer) => rate * (performance.now() - started + AHEAD_MS)
  const look = () => {
    for (const { viewer, socket } of all) {
      const playedMs = performance.now() - viewer.started - AHEAD_MS
      if (playedMs > 0) viewer.lead = Math.min(viewer.lead, viewer.bytes / rate - playedMs)
      viewer.stalled ||= viewer.lead < 0
      if (!viewer.paused || viewer.bytes > wanted(viewer)) continue
      viewer.paused = false
      socket.resume()
    }
  }
  const timer = setInterval(look, 50)
  for (let at = 0; at < count; at++) {
    const viewer: Viewer = {
      started: performance.now(),
      bytes: 0,
      status: '',
      stalled: false,
      lead: 1e9,
      paused: false,
    }
    const take = (got: number, head: string | null) => {
      viewer.bytes += got
      if (head) viewer.status = head.slice(9, 12)
      viewer.paused = viewer.bytes > wanted(viewer)
      return !viewer.paused
    }
    all.push({ viewer, socket: open(buffer, take, `bytes=${Math.floor((size * 0.7 * at) / count)}-`) })
    await pause(APART_MS)
  }
  const [from, before] = [performance.now(), total(all)]
  await pause(seconds * 1000)
  clearInterval(timer)
  const megabitsPerSecond = Math.round(((total(all) - before) * 8) / 1000 / (performance.now() - from))
  for (const { socket } of all) socket.destroy()
  const refused = all.filter(({ viewer }) => viewer.status !== '206').length
  const stalled = all.filter(({ viewer }) => viewer.stalled).length
  const leastLeadMs = Math.round(Math.min(...all.map(({ viewer }) => viewer.lead)))
  process.stdout.write(JSON.stringify({ refused, stalled, leastLeadMs, megabitsPerSecond }))
}

const total = (all: { viewer: Viewer }[]) => all.reduce((sum, { viewer }) => sum + viewer.bytes, 0)

if (mode === 'fast') fast()
else await viewers(Number(rest[0]), Number(rest[1]), Number(rest[2]), Number(rest[3]))
