/**
 * Measures converted streams without a browser: how fast they are produced, how many can run at once, and how
 * much processor time delivery uses.
 */
import type { BenchServer, BenchTitle } from './server.ts'

interface Playlist {
  initialization: string
  segments: { url: string; seconds: number; startSeconds: number }[]
}

export async function loadPlaylist(baseUrl: string, url: string, startSeconds = 0): Promise<Playlist> {
  const response = await fetch(`${baseUrl}${url}?start=${startSeconds}`)
  if (!response.ok) throw new Error(`playlist: ${response.status}`)
  const playlistText = await response.text()
  const resolveUrl = (name: string) => new URL(name, baseUrl + url).href
  let nextStartSeconds = 0
  const segments = [...playlistText.matchAll(/EXTINF:([\d.]+),\n(\S+)/g)].map(
    ([, durationText, name = '']) => {
      const segment = { url: resolveUrl(name), seconds: Number(durationText), startSeconds: nextStartSeconds }
      nextStartSeconds += segment.seconds
      return segment
    },
  )
  return { initialization: resolveUrl(/URI="(.+?)"/.exec(playlistText)?.[1] ?? ''), segments }
}

async function downloadBytes(url: string): Promise<number> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`segment: ${response.status}`)
  return (await response.arrayBuffer()).byteLength
}

/** Returns the seconds of video that are produced per second, while the segments are requested one after the other. */
async function measureSpeed(server: BenchServer, url: string, measuredSeconds: number): Promise<number> {
  const { initialization, segments } = await loadPlaylist(server.baseUrl, url)
  await downloadBytes(initialization)
  // Loads the first segment before the measurement begins, because its loading time includes the start of ffmpeg, which
  // `benchFirstFrame` measures as a part of the time to the first frame.
  await downloadBytes(segments[0]?.url ?? '')
  const startedAtMs = performance.now()
  let producedSeconds = 0
  for (const segment of segments.slice(1)) {
    await downloadBytes(segment.url)
    producedSeconds += segment.seconds
    if (performance.now() - startedAtMs > measuredSeconds * 1_000) break
  }
  return producedSeconds / ((performance.now() - startedAtMs) / 1_000)
}

async function findConversionUrl(server: BenchServer, title: BenchTitle, quality: string): Promise<string> {
  const { sources } = await server.lookUpSources(title)
  const conversionSource = sources.find(
    (candidate) => candidate.delivery === 'transcode' && candidate.quality === quality,
  )
  if (!conversionSource) throw new Error(`no conversion to ${quality}: ${JSON.stringify(sources)}`)
  return conversionSource.url
}

/** Prints the speed of one conversion per quality, as a multiple of the playback speed. */
export async function benchSpeed(
  server: BenchServer,
  title: BenchTitle,
  measuredSeconds: number,
): Promise<void> {
  for (const quality of ['1080p', '720p', '480p']) {
    await server.restart()
    const speedFactor = await measureSpeed(
      server,
      await findConversionUrl(server, title, quality),
      measuredSeconds,
    )
    process.stdout.write(`speed of HEVC 1080p to ${quality}: ${speedFactor.toFixed(2)} times playback\n`)
  }
}

/**
 * For each quality, runs one, two and more conversions at once, and prints the speed of the slowest conversion each
 * time. Continues with the next quality when this speed is below playback speed.
 */
export async function benchStreamsAtOnce(
  server: BenchServer,
  titles: readonly BenchTitle[],
  measuredSeconds: number,
): Promise<void> {
  await server.setSetting('conversion_limit', titles.length)
  for (const quality of ['1080p', '720p'])
    for (let streamCount = 1; streamCount <= titles.length; streamCount++) {
      await server.restart()
      const urls = await Promise.all(
        titles.slice(0, streamCount).map((title) => findConversionUrl(server, title, quality)),
      )
      const speedFactors = await Promise.all(urls.map((url) => measureSpeed(server, url, measuredSeconds)))
      const slowestFactor = Math.min(...speedFactors)
      process.stdout.write(
        `${streamCount} conversions to ${quality} at once: slowest ${slowestFactor.toFixed(2)}\n`,
      )
      if (slowestFactor < 1) break
    }
  await server.setSetting('conversion_limit', 0)
}

/**
 * Speed of the requests, as a multiple of playback speed. The server produces segments ahead of the requests, and
 * the measured cost includes them. At this speed, most of these segments are also requested during the measurement.
 */
const COST_SPEED_FACTOR = 5

/** Prints the percentage of a core that the delivery of one stream uses during playback, for direct play and remux. */
export async function benchDeliveryCost(
  server: BenchServer,
  { direct, remux }: { direct: BenchTitle; remux: BenchTitle },
  measuredSeconds: number,
): Promise<void> {
  await server.restart()
  const directUrl = server.baseUrl + ((await server.lookUpSources(direct)).sources[0]?.url ?? '')
  const bytesPerSecond = 1_000_000
  let offsetBytes = 0
  await printCost(server, 'direct play', measuredSeconds, async () => {
    const rangeHeader = `bytes=${offsetBytes}-${offsetBytes + bytesPerSecond - 1}`
    await (await fetch(directUrl, { headers: { Range: rangeHeader } })).arrayBuffer()
    offsetBytes += bytesPerSecond
    return 1
  })
  const { initialization, segments } = await loadPlaylist(
    server.baseUrl,
    (await server.lookUpSources(remux)).sources[0]?.url ?? '',
  )
  await downloadBytes(initialization)
  const remainingSegments = segments.values()
  await printCost(server, 'remux', measuredSeconds, async () => {
    const { value } = remainingSegments.next()
    if (!value) return null
    await downloadBytes(value.url)
    return value.seconds
  })
}

/**
 * Plays one stream and prints the percentage of a core that its delivery uses. `loadNextChunk` loads the next chunk and
 * returns the duration of the chunk in seconds, or null at the end.
 */
async function printCost(
  server: BenchServer,
  deliveryName: string,
  measuredSeconds: number,
  loadNextChunk: () => Promise<number | null>,
): Promise<void> {
  const startedAtMs = performance.now()
  const cpuBeforeSeconds = server.readCpuSeconds()
  let playedSeconds = 0
  while (playedSeconds < measuredSeconds * COST_SPEED_FACTOR) {
    const loadedSeconds = await loadNextChunk()
    if (loadedSeconds === null) break
    playedSeconds += loadedSeconds
    const waitMs = startedAtMs + (playedSeconds * 1_000) / COST_SPEED_FACTOR - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  const cpuSecondsPerPlayedSecond = (server.readCpuSeconds() - cpuBeforeSeconds) / playedSeconds
  process.stdout.write(
    `${deliveryName}: ${(cpuSecondsPerPlayedSecond * 100).toFixed(1)} % of a core during playback\n`,
  )
}
