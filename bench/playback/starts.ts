/**
 * Starts playback many times and kills the client, ffmpeg or the server. Checks that no process or folder is
 * left, and that no received byte differs from the file.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { BenchServer, BenchTitle } from './server.ts'
import { loadPlaylist } from './streams.ts'

interface StartedTitle extends BenchTitle {
  /** Path of the file with which the received bytes are compared. */
  file: string
}
type Kill = 'none' | 'client' | 'ffmpeg' | 'server'
const KILLS: readonly Kill[] = ['none', 'client', 'ffmpeg', 'server']
const MAX_RANGE_BYTES = 200_000
const LEAK_TIMEOUT_MS = 10_000

export async function benchStarts(
  server: BenchServer,
  titles: readonly StartedTitle[],
  startCount: number,
): Promise<void> {
  const counts: Record<Kill, number> = { none: 0, client: 0, ffmpeg: 0, server: 0 }
  const problems: string[] = []
  for (let index = 0; index < startCount; index++) {
    const title = titles[index % titles.length]
    // A restart of the server takes seconds, so only one in twelve starts may kill the server.
    const kill = KILLS[Math.floor(Math.random() * (index % 12 === 11 ? 4 : 3))] ?? 'none'
    if (!title) break
    counts[kill] += 1
    await playPart(server, title, kill).catch((error: unknown) =>
      problems.push(`start ${index + 1} of ${title.slug} (${kill}): ${error}`),
    )
  }
  await server.stop()
  const leftovers = await waitForNothingLeft(server)
  process.stdout.write(
    `${startCount} starts (${Object.entries(counts)
      .map(([kill, count]) => `${count} ${kill}`)
      .join(', ')} killed): ${problems.length} problems, left behind: ${leftovers || 'nothing'}\n`,
  )
  for (const problem of problems.slice(0, 20)) process.stdout.write(`  ${problem}\n`)
  if (problems.length > 0 || leftovers) process.exitCode = 1
}

async function playPart(server: BenchServer, title: StartedTitle, kill: Kill): Promise<void> {
  const { sources } = await server.lookUp(title)
  const source = sources[Math.floor(Math.random() * sources.length)]
  if (!source) throw new Error('no source')
  if (source.delivery === 'direct') return comparePart(server.base + source.url, title.file)
  const { initialization, segments } = await loadPlaylist(server.base, source.url)
  const segment = segments[Math.floor(Math.random() * segments.length)]
  if (!segment) throw new Error('no segment')
  const abort = new AbortController()
  const requests = [initialization, segment.url].map((url) => fetch(url, { signal: abort.signal }))
  for (const request of requests) request.catch(() => {})
  if (kill !== 'none') await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
  if (kill === 'client') {
    abort.abort()
    return
  }
  if (kill === 'ffmpeg') for (const pid of server.listFfmpeg()) killIfRunning(pid)
  if (kill === 'server') {
    await server.stop('SIGKILL')
    await server.start()
    await server.signIn()
    return
  }
  for (const request of requests) {
    const response = await request
    // A killed ffmpeg is restarted once. After 503, the player repeats the request.
    if (kill === 'ffmpeg' && response.status === 503) continue
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    requireWholeBoxes(Buffer.from(await response.arrayBuffer()))
  }
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

/** Compares a random range of a direct stream with the file. */
async function comparePart(url: string, file: string): Promise<void> {
  const start = Math.floor(Math.random() * 1_000_000)
  const headers = { Range: `bytes=${start}-${start + MAX_RANGE_BYTES - 1}` }
  const receivedBytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
  const expected = Buffer.alloc(receivedBytes.length)
  const descriptor = openSync(file, 'r')
  readSync(descriptor, expected, 0, expected.length, start)
  closeSync(descriptor)
  if (receivedBytes.length === 0 || !receivedBytes.equals(expected)) throw new Error('wrong bytes')
}

/** Throws unless the last box of an MP4 segment (ISO 14496-12) ends exactly at the end of the segment. */
function requireWholeBoxes(bytes: Buffer): void {
  let offset = 0
  while (offset + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(offset)
    if (size < 8) throw new Error(`box of ${size} bytes`)
    offset += size
  }
  if (offset !== bytes.length || offset === 0)
    throw new Error(`${bytes.length} bytes, boxes end at ${offset}`)
}

/** Describes the processes and folders that stopped conversions have left. Returns an empty text if there are none. */
async function waitForNothingLeft(server: BenchServer): Promise<string> {
  const deadline = performance.now() + LEAK_TIMEOUT_MS
  while (performance.now() < deadline && server.listFfmpeg().length > 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const processes = server.listFfmpeg()
  // The folders of a killed server are deleted when the server starts again.
  await server.start()
  const folders = server.listSegmentFolders()
  await server.stop()
  return [
    ...(processes.length > 0 ? [`processes ${processes.join(' ')}`] : []),
    ...(folders.length > 0 ? [`folders ${folders.join(' ')}`] : []),
  ].join('; ')
}
