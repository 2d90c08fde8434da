/**
 * Compares the speed of the IMDb import with loops that only read and split the same files. Import and loops alternate
 * in the same run: `node bench/import/run.ts [--titles=20000] [--rounds=3] [--min-votes=100]`. Then measures the event
 * loop delay of a server during an import.
 */
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { readConfig } from '../../server/core/config.ts'
import { createDeps } from '../../server/create-deps.ts'
import { configureBulkImport } from '../../server/db/bulk-import.ts'
import { CATALOGUE_IMPORTERS } from '../../server/importers/index.ts'
import type { Deps } from '../../server/services/deps.ts'
import { readNumberOption, readOption } from '../options.ts'
import { startCpuTimer } from '../processor-time.ts'
import { getMedian } from '../statistics.ts'
import { writeImdbDumps } from './dumps.ts'

const roundCount = readNumberOption('rounds', 3)
const titleCount = readNumberOption('titles', 20_000)
const minVotes = readOption('min-votes') ?? '100'
const sharedRoot = process.env['MARQUEE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared')
const sampleFolder = [join(sharedRoot, 'data/imdb_tsv'), join(sharedRoot, 'imdb_tsv')].find((path) =>
  existsSync(path),
)
const workFolder = mkdtempSync(join(tmpdir(), 'marquee-import-'))

const listDumpFiles = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.tsv.gz'))
const formatRowRate = (rowCount: number, durationMs: number) =>
  `${Math.round(rowCount / durationMs)} k rows/s`.padStart(13)

/** Wall time and CPU time of each run. Other load on the machine changes the CPU time less than the wall time. */
type Durations = { wallMs: number[]; cpuMs: number[] }

/** Reads all files the simple way, with node:readline. Returns the number of fields in all lines. */
async function countFieldsWithReadline(folder: string): Promise<number> {
  let fieldCount = 0
  for (const fileName of listDumpFiles(folder)) {
    const inputStream = createReadStream(join(folder, fileName)).pipe(createGunzip())
    for await (const line of createInterface({ input: inputStream })) fieldCount += line.split('\t').length
  }
  return fieldCount
}

/** Reads all files in large chunks, which is the fastest way in Node. Returns the number of fields in all lines. */
async function countFieldsInChunks(folder: string): Promise<number> {
  let fieldCount = 0
  for (const fileName of listDumpFiles(folder)) {
    const inputStream = createReadStream(join(folder, fileName)).pipe(createGunzip({ chunkSize: 128 * 1024 }))
    let partialLine = ''
    for await (const chunk of inputStream.setEncoding('utf8')) {
      const lines = (partialLine + chunk).split('\n')
      partialLine = lines.pop() ?? ''
      for (const line of lines) fieldCount += line.split('\t').length
    }
  }
  return fieldCount
}

async function runWithDeps<T>(folderName: string, runStep: (deps: Deps) => Promise<T>): Promise<T> {
  const dataDir = join(workFolder, folderName)
  const { deps } = await createDeps({ ...readConfig({ DATA_DIR: dataDir }), logLevel: 'error' })
  try {
    return await runStep(deps)
  } finally {
    await deps.database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function importDumps(deps: Deps, folder: string, batchMs: string) {
  const imdbImporter = CATALOGUE_IMPORTERS['imdb']
  if (!imdbImporter) throw new Error('no importer')
  return imdbImporter.run(deps, { folder, 'min-votes': minVotes, 'batch-ms': batchMs })
}

async function measureRun<T>(
  runTask: () => Promise<T>,
  durations?: Durations,
): Promise<{ wallMs: number; result: T }> {
  const [startMs, readCpuMs] = [performance.now(), startCpuTimer()]
  const result = await runTask()
  const wallMs = performance.now() - startMs
  durations?.wallMs.push(wallMs)
  durations?.cpuMs.push(readCpuMs())
  return { wallMs, result }
}

async function compareImport(label: string, folder: string): Promise<void> {
  const createDurations = (): Durations => ({ wallMs: [], cpuMs: [] })
  const readlineDurations = createDurations()
  const chunkDurations = createDurations()
  const firstImportDurations = createDurations()
  const secondImportDurations = createDurations()
  let writtenSummary = ''
  let rowCount = 0
  for (let round = 0; round < roundCount; round++) {
    await measureRun(() => countFieldsWithReadline(folder), readlineDurations)
    await measureRun(() => countFieldsInChunks(folder), chunkDurations)
    await runWithDeps(`round-${round}`, async (deps) => {
      configureBulkImport(deps.database)
      const { result: importReport } = await measureRun(
        () => importDumps(deps, folder, '40'),
        firstImportDurations,
      )
      await measureRun(() => importDumps(deps, folder, '40'), secondImportDurations)
      rowCount = importReport.lines ?? 0
      writtenSummary = `${importReport.added} titles written`
    })
  }
  console.log(
    `${label}: ${rowCount} rows, ${writtenSummary} (at least ${minVotes} votes), median of ${roundCount}`,
  )
  for (const [durationLabel, durations] of [
    ['readline and split', readlineDurations],
    ['chunks and split', chunkDurations],
    ['import, empty database', firstImportDurations],
    ['import, unchanged files', secondImportDurations],
  ] as const) {
    const formatRatioTo = (baseline: Durations, durationKind: keyof Durations) =>
      (getMedian(baseline[durationKind]) / getMedian(durations[durationKind])).toFixed(2)
    const ratiosText = `speed relative to readline ${formatRatioTo(readlineDurations, 'wallMs')} (CPU ${formatRatioTo(readlineDurations, 'cpuMs')}), to chunks ${formatRatioTo(chunkDurations, 'wallMs')} (${formatRatioTo(chunkDurations, 'cpuMs')})`
    console.log(
      `  ${durationLabel.padEnd(24)} ${formatRowRate(rowCount, getMedian(durations.wallMs))}   ${ratiosText}`,
    )
  }
}

type DelayHistogram = ReturnType<typeof monitorEventLoopDelay>

/**
 * Starts to record the event loop delay, and the CPU time in ms that this thread uses between two timer ticks of 1 ms.
 * The returned function stops the recording and returns both.
 */
function monitorEventLoop(): () => { delay: DelayHistogram; cpuPerTickMs: number[] } {
  const delayHistogram = monitorEventLoopDelay({ resolution: 1 })
  const cpuPerTickMs: number[] = []
  let previousUsage = process.threadCpuUsage()
  const tickTimer = setInterval(() => {
    const currentUsage = process.threadCpuUsage()
    cpuPerTickMs.push(
      (currentUsage.user + currentUsage.system - previousUsage.user - previousUsage.system) / 1000,
    )
    previousUsage = currentUsage
  }, 1)
  delayHistogram.enable()
  return () => {
    clearInterval(tickTimer)
    delayHistogram.disable()
    return { delay: delayHistogram, cpuPerTickMs: cpuPerTickMs.sort((a, b) => a - b) }
  }
}

/** Runs the import with a server's settings: short batches, every commit synchronised to disk. */
async function measureServerImport(folder: string): Promise<void> {
  await runWithDeps('server', async (deps) => {
    const stopMonitoring = monitorEventLoop()
    const { wallMs, result: importReport } = await measureRun(() => importDumps(deps, folder, '12'))
    const { delay, cpuPerTickMs } = stopMonitoring()
    const stopIdleMonitoring = monitorEventLoop()
    await setTimeout(Math.min(wallMs, 10_000))
    const { delay: idleDelay } = stopIdleMonitoring()
    const formatDelay = (histogram: DelayHistogram) =>
      `${(histogram.percentile(99) / 1e6).toFixed(1)} ms p99, ${(histogram.max / 1e6).toFixed(1)} ms max`
    const formatCpuQuantile = (fraction: number) =>
      (cpuPerTickMs[Math.floor((cpuPerTickMs.length - 1) * fraction)] ?? 0).toFixed(1)
    console.log(`inside a server: ${importReport.added} titles in ${(wallMs / 1000).toFixed(1)} s`)
    console.log(`  event loop delay ${formatDelay(delay)}; while idle ${formatDelay(idleDelay)}`)
    console.log(`  CPU time per tick: ${formatCpuQuantile(0.99)} ms p99, ${formatCpuQuantile(1)} ms max`)
  })
}

try {
  if (sampleFolder) await compareImport('published sample (films of 2017)', sampleFolder)
  else console.log('shared data not found: the published sample is skipped')
  const folder = join(workFolder, 'dumps')
  const dumpRowCount = await writeImdbDumps(folder, { titleCount, seed: 7 })
  await compareImport(`generated, ${dumpRowCount} rows`, folder)
  await measureServerImport(folder)
  console.log(`peak memory of this process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
} finally {
  rmSync(workFolder, { recursive: true, force: true })
}
