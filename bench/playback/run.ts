/**
 * Measures playback: time to the first frame for each kind of delivery and after a seek, speed of conversions, number
 * of simultaneous conversions, and processor time of direct play and remux. Starts playback many times, kills
 * processes, and checks that no process or folder is left. Prints a matrix of codecs and containers. Chromium and
 * ffmpeg run on the same machine.
 *
 * `npm run bench:playback -- --only=first,matrix --runs=3 --starts=20 --seconds=10 --streams=3`
 */
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeTestVideo, TEST_VIDEOS } from '../../scripts/test-videos.ts'
import { benchFirstFrame, benchMatrix } from './browser.ts'
import { BenchServer } from './server.ts'
import { benchStarts } from './starts.ts'
import { benchDeliveryCost, benchSpeed, benchStreamsAtOnce } from './streams.ts'
import { makeVideos } from './videos.ts'

const PART_NAMES = ['first', 'speed', 'streams', 'cost', 'matrix', 'starts']
const { values: optionValues } = parseArgs({
  options: {
    only: { type: 'string', default: PART_NAMES.join() },
    runs: { type: 'string', default: '5' },
    starts: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    streams: { type: 'string', default: '6' },
  },
})
const selectedParts = new Set(optionValues.only.split(','))
const measuredSeconds = Number(optionValues.seconds)

async function main(): Promise<void> {
  const loadAverage = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
  process.stdout.write(
    `machine: ${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, load average before ${loadAverage}\n`,
  )
  const server = new BenchServer()
  try {
    await server.start()
    await server.signIn()
    await measureSelectedParts(server)
  } finally {
    await server.stop()
    server.deleteFolder()
  }
}

async function measureSelectedParts(server: BenchServer): Promise<void> {
  const videoFiles = makeVideos(join(server.folder, 'films'))
  const streamCount = selectedParts.has('streams') ? Number(optionValues.streams) : 1
  const matrixFiles = selectedParts.has('matrix')
    ? TEST_VIDEOS.map((name) => ({ name, file: makeTestVideo(name) }))
    : []
  const conversionFiles = Array.from({ length: streamCount }, () => videoFiles.transcode)
  const deliveryFiles = [videoFiles.direct, videoFiles.remux, videoFiles.transcode720]
  const assignedTitles = await server.assignFiles([
    ...deliveryFiles,
    ...conversionFiles,
    ...matrixFiles.map(({ file }) => file),
  ])
  const [direct, remux, transcode720, transcode] = assignedTitles
  if (!direct || !remux || !transcode720 || !transcode) throw new Error('the server has too few titles')
  const conversionEndIndex = deliveryFiles.length + streamCount
  if (selectedParts.has('first'))
    await benchFirstFrame(server, { direct, remux, transcode720, transcode }, Number(optionValues.runs))
  const matrixTitles = assignedTitles
    .slice(conversionEndIndex)
    .map((title, index) => ({ ...title, name: matrixFiles[index]?.name ?? '' }))
  if (matrixTitles.length > 0) await benchMatrix(server, matrixTitles)
  if (selectedParts.has('speed')) await benchSpeed(server, transcode, measuredSeconds)
  if (selectedParts.has('streams'))
    await benchStreamsAtOnce(
      server,
      assignedTitles.slice(deliveryFiles.length, conversionEndIndex),
      measuredSeconds,
    )
  if (selectedParts.has('cost')) await benchDeliveryCost(server, { direct, remux }, measuredSeconds)
  const startBenchTitles = [
    { ...direct, file: videoFiles.direct },
    { ...remux, file: videoFiles.remux },
    { ...transcode, file: videoFiles.transcode },
  ]
  if (selectedParts.has('starts')) await benchStarts(server, startBenchTitles, Number(optionValues.starts))
}

await main()
