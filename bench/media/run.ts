/**
 * Measures the throughput of one media stream, and compares it with nginx, which serves the same file in the same run.
 * Also measures whether 200 viewers at 5 Mbit/s play for 20 seconds without stalling. Skips the comparison if
 * nginx is not on the PATH.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../tests/support/test-service.ts'
import { readFirstSignIn, startMarquee } from '../marquee-server.ts'
import { getMedian } from '../statistics.ts'

const FILE_BYTES = 1024 * 1024 * 1024
const RUN_COUNT = 7
const VIEWER_COUNT = 200
const VIEWING_SECONDS = 20
const BITS_PER_SECOND = 5_000_000
const FILE_NAME = 'Inception (2010) {imdb-tt1375666} - 1080p.mp4'

const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-media-'))
const printLine = (line: string) => process.stdout.write(`${line}\n`)
const runProgram = promisify(execFile)

function createMediaFile(): string {
  const filePath = join(folder, 'media', FILE_NAME)
  mkdirSync(join(folder, 'media'))
  const fileDescriptor = openSync(filePath, 'w')
  const chunk = Buffer.alloc(1024 * 1024)
  for (let index = 0; index < chunk.length; index++) chunk[index] = (index * 31 + (index >>> 8) * 17) & 0xff
  for (let writtenBytes = 0; writtenBytes < FILE_BYTES; writtenBytes += chunk.length)
    writeSync(fileDescriptor, chunk)
  closeSync(fileDescriptor)
  return filePath
}

/** Signs in as the first administrator and returns the signed URL of the movie file. */
async function requestStreamUrl(baseUrl: string): Promise<string> {
  const jsonHeaders = { 'Content-Type': 'application/json' }
  const loginResponse = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify(readFirstSignIn(join(folder, 'data'))),
  })
  const headers = { Authorization: `Bearer ${(await loginResponse.json()).access_token}` }
  const profiles = (await (await fetch(`${baseUrl}/api/profile`, { headers })).json()).results
  const profile = profiles.find((candidate: { main: boolean }) => candidate.main)
  const lookupUrl = `${baseUrl}/proxy/torrent-streamer/stream/movie/tt1375666`
  const lookupResponse = await fetch(lookupUrl, {
    headers: { ...headers, 'X-Profile-Id': profile.profile_id },
  })
  const { sources } = await lookupResponse.json()
  if (sources?.[0]?.size !== FILE_BYTES)
    throw new Error(`the lookup did not find the file: ${JSON.stringify(sources)}`)
  return baseUrl + sources[0].url
}

function startNginx(port: number): ChildProcess | null {
  if (spawnSync('nginx', ['-v']).error) return null
  // As root, nginx switches to another user by default. That user has no access to the folder.
  const userDirective = process.getuid?.() === 0 ? 'user root;' : ''
  const configFile = join(folder, 'nginx.conf')
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((pathKind) => `${pathKind}_temp_path ${folder}/${pathKind};`)
    .join(' ')
  writeFileSync(
    configFile,
    `${userDirective} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr error;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; ${temporaryPaths}
       server { listen 127.0.0.1:${port}; root ${folder}/media; } }`,
  )
  return spawn('nginx', ['-p', folder, '-c', configFile], { stdio: ['ignore', 'inherit', 'inherit'] })
}

async function runReaderProcess<T>(...readerArguments: string[]): Promise<T> {
  const { stdout } = await runProgram(process.execPath, ['bench/media/read.ts', ...readerArguments], {
    encoding: 'utf8',
  })
  return JSON.parse(stdout)
}

interface DownloadResult {
  status: string
  bytes: number
  megabytesPerSecond: number
}
async function measureThroughput(url: string): Promise<number> {
  const { status, bytes, megabytesPerSecond } = await runReaderProcess<DownloadResult>('fast', url)
  if (status !== '200' || bytes < FILE_BYTES) throw new Error(`${status}, ${bytes} bytes`)
  return megabytesPerSecond
}

const formatRoundedList = (values: number[]) => values.map((value) => Math.round(value)).join(', ')

async function main(): Promise<void> {
  const loadAverage = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
  printLine(
    `machine: ${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, load average before ${loadAverage}`,
  )
  createMediaFile()
  const serverEnv = { MEDIA_DIR: join(folder, 'media'), DEMO: '1' }
  const { baseUrl, process: server } = await startMarquee(join(folder, 'data'), serverEnv)
  const nginxPort = await findFreePort()
  const nginxProcess = startNginx(nginxPort)
  try {
    const streamUrl = await requestStreamUrl(baseUrl)
    const nginxUrl = `http://127.0.0.1:${nginxPort}/${encodeURIComponent(FILE_NAME)}`
    if (nginxProcess) await new Promise((resolve) => setTimeout(resolve, 500))
    await measureThroughput(streamUrl)
    const serverMegabytesPerSecond: number[] = []
    const nginxMegabytesPerSecond: number[] = []
    for (let runIndex = 0; runIndex < RUN_COUNT; runIndex++) {
      serverMegabytesPerSecond.push(await measureThroughput(streamUrl))
      if (nginxProcess) nginxMegabytesPerSecond.push(await measureThroughput(nginxUrl))
    }
    printLine(
      `one stream of ${FILE_BYTES / 2 ** 20} MiB: ${Math.round(getMedian(serverMegabytesPerSecond))} MB/s (${formatRoundedList(serverMegabytesPerSecond)})`,
    )
    if (nginxProcess) {
      printLine(
        `nginx, the same file and reader: ${Math.round(getMedian(nginxMegabytesPerSecond))} MB/s (${formatRoundedList(nginxMegabytesPerSecond)})`,
      )
      printLine(
        `ratio: ${(getMedian(serverMegabytesPerSecond) / getMedian(nginxMegabytesPerSecond)).toFixed(2)}`,
      )
    } else printLine('nginx is not on the PATH: comparison skipped')
    const viewerResult = await runReaderProcess<Record<string, number>>(
      'viewers',
      streamUrl,
      String(VIEWER_COUNT),
      String(VIEWING_SECONDS),
      String(BITS_PER_SECOND),
      String(FILE_BYTES),
    )
    printLine(
      `${VIEWER_COUNT} viewers at ${BITS_PER_SECOND / 1e6} Mbit/s for ${VIEWING_SECONDS} s: ${JSON.stringify(viewerResult)}`,
    )
    const peakMemoryKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
    printLine(`peak memory of the server: ${Math.round(Number(peakMemoryKb) / 1024)} MiB`)
  } finally {
    server.kill()
    nginxProcess?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
process.exit(0)
