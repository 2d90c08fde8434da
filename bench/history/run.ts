/**
 * Imports and exports a watch history of 200,000 rows on a file database: `npm run bench:history [-- --rows=200000
 * --titles=20000]`. Prints durations, memory, and the longest event loop delay that other requests would see.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/core/config.ts'
import { createDeps } from '../../server/create-deps.ts'
import { importTitles } from '../../server/importers/import-titles.ts'
import { insertAccount } from '../../server/queries/account.ts'
import type { TitleReadResult, TitleRecord } from '../../server/queries/title-record.ts'
import { buildAccount } from '../../server/services/accounts/accounts.ts'
import { createMulberry32, type GeneratedTitle, generateCatalogue } from '../generate/catalogue.ts'
import { readNumberOption } from '../options.ts'
import { startCpuTimer } from '../processor-time.ts'

const ROW_COUNT = readNumberOption('rows', 200_000)
const TITLE_COUNT = readNumberOption('titles', 20_000)
const PASSWORD = 'Lumiere1895'
const dataDir = join(tmpdir(), `marquee-bench-history-${process.pid}`)

const { deps } = await createDeps(readConfig({ DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error' }))
const { database } = deps
const app = createApp(deps)

const formatEpisodeName = (season: number, episode: number) => `Part of night ${season * 100 + episode}`

function toTitleRecord(title: GeneratedTitle): TitleRecord {
  return {
    type: title.type,
    tmdb_id: title.id,
    original_title: title.names.find((name) => name.role === 'original')?.text ?? title.names[0]?.text ?? '-',
    names: title.names,
    release_date: title.release_date,
    runtime: title.runtime_min * 60,
    genres: [],
    rating: title.vote_average,
    rating_votes: title.vote_count,
    safe_for_kids: title.safe_for_kids,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: title.seasons.map((episodeCount, seasonIndex) => ({
      season_number: seasonIndex + 1,
      episodes: Array.from({ length: episodeCount }, (_, episodeIndex) => ({
        episode_number: episodeIndex + 1,
        name: formatEpisodeName(seasonIndex + 1, episodeIndex + 1),
      })),
    })),
  }
}

/** Builds a file in the format of Netflix, newest row first; about a tenth of its rows name an unknown title. */
function buildHistoryCsv(titles: GeneratedTitle[]): string {
  const nextRandom = createMulberry32(7)
  const csvLines = ['Title,Date']
  const startMs = Date.UTC(2026, 0, 1)
  for (let rowIndex = 0; rowIndex < ROW_COUNT; rowIndex += 1) {
    const title = titles[Math.floor(nextRandom() ** 2 * titles.length)] as GeneratedTitle
    const mainName = title.names[0]?.text ?? ''
    const titleName = nextRandom() < 0.9 ? mainName : `${mainName} of nowhere`
    const season = title.seasons.length > 0 ? 1 + Math.floor(nextRandom() * title.seasons.length) : 0
    const episode = 1 + Math.floor(nextRandom() * (title.seasons[season - 1] ?? 1))
    const rowTitle =
      season === 0 ? titleName : `${titleName}: Season ${season}: ${formatEpisodeName(season, episode)}`
    const dateParts = new Date(startMs - rowIndex * 1_500_000).toISOString().slice(0, 10).split('-')
    csvLines.push(`"${rowTitle.replaceAll('"', '""')}","${dateParts[2]}/${dateParts[1]}/${dateParts[0]}"`)
  }
  return csvLines.join('\n')
}

function* readRecords(titles: GeneratedTitle[]): Generator<TitleReadResult> {
  for (const title of titles) yield { location: String(title.id), record: toTitleRecord(title) }
}

let accessToken = ''
let signedInAtMs = 0
async function signIn(): Promise<void> {
  signedInAtMs = performance.now()
  accessToken = ''
  const body = JSON.stringify({ email: 'a@example.com', password: PASSWORD })
  accessToken = (
    (await (await sendRequest('POST', '/api/auth/login', body)).json()) as { access_token: string }
  ).access_token
}

/** Interval between sign-ins. An access token expires after ten minutes, and the benchmark can take longer. */
const SIGN_IN_INTERVAL_MS = 300_000

async function sendRequest(method: string, path: string, body?: BodyInit, contentType = 'application/json') {
  if (accessToken && performance.now() - signedInAtMs > SIGN_IN_INTERVAL_MS) await signIn()
  const response = await app.request(path, {
    method,
    headers: { ...(accessToken && { Authorization: `Bearer ${accessToken}` }), 'Content-Type': contentType },
    ...(body !== undefined && { body }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const printLine = (line: string) => process.stdout.write(`${line}\n`)
/** Runs a step and prints its duration, processor time, memory and the longest event loop turn. */
async function measureStep<T>(stepName: string, runStep: () => Promise<T>): Promise<T> {
  globalThis.gc?.()
  const startMs = performance.now()
  const readCpuMs = startCpuTimer()
  let maxHeapBytes = 0
  let [longestTurnMs, longestTurnCpuMs] = [0, 0]
  let [turnStartMs, turnStartUsage] = [performance.now(), process.threadCpuUsage()]
  // Records the duration of each event loop turn and the CPU time of this thread in the turn. On a busy machine, the
  // duration is longer, because other processes use the processor.
  const eventLoopTurnTimer = setInterval(() => {
    const [nowMs, turnUsage] = [performance.now(), process.threadCpuUsage(turnStartUsage)]
    longestTurnMs = Math.max(longestTurnMs, nowMs - turnStartMs)
    longestTurnCpuMs = Math.max(longestTurnCpuMs, (turnUsage.user + turnUsage.system) / 1000)
    maxHeapBytes = Math.max(maxHeapBytes, getHeapStatistics().used_heap_size)
    turnStartMs = performance.now()
    turnStartUsage = process.threadCpuUsage()
  }, 1)
  const stepResult = await runStep()
  clearInterval(eventLoopTurnTimer)
  const cpuMs = readCpuMs()
  const secondsText = ((performance.now() - startMs) / 1000).toFixed(1)
  const formatByteSize = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  printLine(
    [
      stepName.padEnd(36),
      `${secondsText.padStart(6)} s (${(cpuMs / 1_000).toFixed(1)} s CPU)`,
      `memory ${formatByteSize(process.memoryUsage().rss)}, heap ${formatByteSize(maxHeapBytes)}`,
      `longest event loop turn ${longestTurnMs.toFixed(0)} ms (${longestTurnCpuMs.toFixed(0)} ms CPU)`,
    ].join('   '),
  )
  return stepResult
}

type ImportStatus = {
  import_id: string
  status: string
  changed: number
  message: string | null
  rows: Record<string, number>
}
async function waitForImport(profileId: string, importStatus: ImportStatus): Promise<ImportStatus> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    const page = (await (await sendRequest('GET', `/api/profile/${profileId}/import?limit=1`)).json()) as {
      results: ImportStatus[]
    }
    const latestRun = page.results[0] as ImportStatus
    if (latestRun.import_id !== importStatus.import_id) throw new Error('another import')
    if (latestRun.status === 'failed') throw new Error(String(latestRun.message))
    if (!['reading', 'applying', 'undoing'].includes(latestRun.status)) return latestRun
  }
}

const importFile = async (profileId: string, fileName: string, fileBytes: Uint8Array<ArrayBuffer>) => {
  const dryRun = await measureStep(`${fileName}: dry run`, async () => {
    const contentType = 'application/octet-stream'
    const uploadResponse = await sendRequest(
      'POST',
      `/api/profile/${profileId}/import?name=${fileName}`,
      fileBytes,
      contentType,
    )
    return waitForImport(profileId, (await uploadResponse.json()) as ImportStatus)
  })
  printLine(`  ${JSON.stringify(dryRun.rows)}`)
  const importPath = `/api/profile/${profileId}/import/${dryRun.import_id}`
  const appliedRun = await measureStep(`${fileName}: apply`, async () =>
    waitForImport(
      profileId,
      (await (await sendRequest('POST', `${importPath}/apply`, '{}')).json()) as ImportStatus,
    ),
  )
  printLine(`  ${appliedRun.changed} rows written`)
  return { path: importPath }
}

await measureStep('idle baseline', () => new Promise((resolve) => setTimeout(resolve, 3_000)))
const generatedTitles = [...generateCatalogue({ titleCount: TITLE_COUNT, seed: 1 })]
await measureStep(`catalogue of ${TITLE_COUNT} titles`, () =>
  importTitles(deps, readRecords(generatedTitles), { source: 'bench' }),
)
await insertAccount(
  database.primary,
  await buildAccount(deps, { email: 'a@example.com', password: PASSWORD, role: 'admin' }),
)
await signIn()
const createProfile = async (name: string) => {
  const response = await sendRequest('POST', '/api/profile', JSON.stringify({ name }))
  return ((await response.json()) as { profile_id: string }).profile_id
}

const historyFile = new TextEncoder().encode(buildHistoryCsv(generatedTitles)) as Uint8Array<ArrayBuffer>
printLine(`${ROW_COUNT} rows, ${(historyFile.length / 2 ** 20).toFixed(1)} MB`)
const firstProfileId = await createProfile('First')
await importFile(firstProfileId, 'NetflixViewingHistory.csv', historyFile)
const secondImport = await importFile(firstProfileId, 'NetflixViewingHistory.csv', historyFile)
const secondImportStatus = (await (await sendRequest('GET', secondImport.path)).json()) as ImportStatus
if (secondImportStatus.changed !== 0) throw new Error('the second run changed rows')
const exportHistory = async (profileId: string) =>
  new Uint8Array(await (await sendRequest('GET', `/api/profile/${profileId}/export`)).arrayBuffer())
const exportedFile = await measureStep('export', () => exportHistory(firstProfileId))
printLine(`  ${(exportedFile.length / 2 ** 20).toFixed(1)} MB`)
const secondProfileId = await createProfile('Second')
const lastImport = await importFile(secondProfileId, 'marquee-export.json', exportedFile)
if (Buffer.compare(Buffer.from(await exportHistory(secondProfileId)), Buffer.from(exportedFile)) !== 0)
  throw new Error('the two exports differ')
printLine('  the export of the second profile is identical')
await measureStep('undo', async () =>
  waitForImport(
    secondProfileId,
    (await (await sendRequest('POST', `${lastImport.path}/undo`, '{}')).json()) as ImportStatus,
  ),
)
printLine(`  after undo: ${(await exportHistory(secondProfileId)).length} bytes of export`)
await deps.searchIndex.stop()
await database.close()
rmSync(dataDir, { recursive: true, force: true })
