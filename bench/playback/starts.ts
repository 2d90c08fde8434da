/**
 * Starts playback many times. During some of the starts, aborts the requests, or kills ffmpeg or the server. Checks the
 * bytes of direct streams against the file, the structure of converted segments, and that no process or folder is left.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { BenchServer, BenchTitle } from './server.ts'
import { loadPlaylist } from './streams.ts'

interface StartedTitle extends BenchTitle {
  /** Path of the file with which the received bytes are compared. */
  file: string
}
type KillKind = 'none' | 'client' | 'ffmpeg' | 'server'
/**
 * Number of starts of each kind: starts during which the requests were aborted (`client`), ffmpeg was killed, or the
 * server was killed.
 */
type KillCounts = Record<Exclude<KillKind, 'none'>, number>
const KILL_KINDS: readonly KillKind[] = ['none', 'client', 'ffmpeg', 'server']
const MAX_RANGE_BYTES = 200_000
const CLEANUP_TIMEOUT_MS = 10_000

export async function benchStarts(
  server: BenchServer,
  titles: readonly StartedTitle[],
  startCount: number,
): Promise<void> {
  const killCounts: KillCounts = { client: 0, ffmpeg: 0, server: 0 }
  const problems: string[] = []
  for (let index = 0; index < startCount; index++) {
    const title = titles[index % titles.length]
    // A restart of the server takes seconds, so only one in twelve starts may kill the server.
    const killKind = KILL_KINDS[Math.floor(Math.random() * (index % 12 === 11 ? 4 : 3))] ?? 'none'
    if (!title) break
    await playExcerpt(server, title, killKind, killCounts).catch((error: unknown) =>
      problems.push(`start ${index + 1} of ${title.slug} (${killKind}): ${error}`),
    )
  }
  await server.stop()
  const leftoverDescription = await describeLeftovers(server)
  process.stdout.write(
    `${startCount} starts (${Object.entries(killCounts)
      .map(([killKind, killCount]) => `${killCount} ${killKind}`)
      .join(', ')} killed): ${problems.length} problems, left behind: ${leftoverDescription || 'nothing'}\n`,
  )
  for (const problem of problems.slice(0, 20)) process.stdout.write(`  ${problem}\n`)
  if (problems.length > 0 || leftoverDescription) process.exitCode = 1
}

/**
 * Requests a random part of a stream of the title. During a conversion, aborts the requests (`client`), or kills ffmpeg
 * or the server, as `killKind` selects, and increments the number of this kind in `killCounts`. Does none of these
 * things during a direct stream, and kills no ffmpeg if none is running. Throws if a response is wrong.
 */
async function playExcerpt(
  server: BenchServer,
  title: StartedTitle,
  killKind: KillKind,
  killCounts: KillCounts,
): Promise<void> {
  const { sources } = await server.lookUpSources(title)
  const pickedSource = sources[Math.floor(Math.random() * sources.length)]
  if (!pickedSource) throw new Error('no source')
  if (pickedSource.delivery === 'direct') return compareRange(server.baseUrl + pickedSource.url, title.file)
  const { initialization, segments } = await loadPlaylist(server.baseUrl, pickedSource.url)
  const segment = segments[Math.floor(Math.random() * segments.length)]
  if (!segment) throw new Error('no segment')
  const abortController = new AbortController()
  const requests = [initialization, segment.url].map((url) => fetch(url, { signal: abortController.signal }))
  for (const request of requests) request.catch(() => {})
  if (killKind !== 'none') await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
  if (killKind === 'client') {
    abortController.abort()
    killCounts.client += 1
    return
  }
  if (killKind === 'ffmpeg' && server.listFfmpegPids().filter(killIfRunning).length > 0)
    killCounts.ffmpeg += 1
  if (killKind === 'server') {
    await server.stop('SIGKILL')
    killCounts.server += 1
    await server.start()
    await server.signIn()
    return
  }
  for (const request of requests) {
    const response = await request
    // The server restarts a killed ffmpeg only once, and then responds with 503. The benchmark accepts this response,
    // because a player repeats the request after 503.
    if (killKind === 'ffmpeg' && response.status === 503) continue
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    requireCompleteBoxes(Buffer.from(await response.arrayBuffer()))
  }
}

/** Kills a process with SIGKILL. Returns false when the process has already ended. */
function killIfRunning(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Throws unless a random range of a direct stream equals the same range of the file. */
async function compareRange(url: string, file: string): Promise<void> {
  const startByte = Math.floor(Math.random() * 1_000_000)
  const headers = { Range: `bytes=${startByte}-${startByte + MAX_RANGE_BYTES - 1}` }
  const receivedBytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
  const expectedBytes = Buffer.alloc(receivedBytes.length)
  const fileDescriptor = openSync(file, 'r')
  readSync(fileDescriptor, expectedBytes, 0, expectedBytes.length, startByte)
  closeSync(fileDescriptor)
  if (receivedBytes.length === 0 || !receivedBytes.equals(expectedBytes)) throw new Error('wrong bytes')
}

/** Throws unless the last box of an MP4 segment (ISO 14496-12) ends exactly at the end of the segment. */
function requireCompleteBoxes(segmentBytes: Buffer): void {
  let offsetBytes = 0
  while (offsetBytes + 8 <= segmentBytes.length) {
    const boxSizeBytes = segmentBytes.readUInt32BE(offsetBytes)
    if (boxSizeBytes < 8) throw new Error(`box of ${boxSizeBytes} bytes`)
    offsetBytes += boxSizeBytes
  }
  if (offsetBytes !== segmentBytes.length || offsetBytes === 0)
    throw new Error(`${segmentBytes.length} bytes, boxes end at ${offsetBytes}`)
}

/**
 * Waits until the ffmpeg processes of the benchmark have ended, at most CLEANUP_TIMEOUT_MS. Returns a description of
 * the processes and folders that stopped conversions have left, or an empty text if there are none.
 */
async function describeLeftovers(server: BenchServer): Promise<string> {
  const deadlineMs = performance.now() + CLEANUP_TIMEOUT_MS
  while (performance.now() < deadlineMs && server.listFfmpegPids().length > 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
  const ffmpegPids = server.listFfmpegPids()
  // The folders of a killed server are deleted when the server starts again.
  await server.start()
  const segmentFolders = server.listSegmentFolders()
  await server.stop()
  return [
    ...(ffmpegPids.length > 0 ? [`processes ${ffmpegPids.join(' ')}`] : []),
    ...(segmentFolders.length > 0 ? [`folders ${segmentFolders.join(' ')}`] : []),
  ].join('; ')
}
