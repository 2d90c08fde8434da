/**
 * How fast one media stream leaves the server, against nginx serving the same file in the same run; and whether 200
 * viewers at 5 Mbit/s are held for 20 seconds without one of them stalling. nginx is looked for on the PATH.
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

const FILE_BYTES = 1024 * 1024 * 1024
const RUNS = 7
const VIEWERS = 200
const SECONDS = 20
const BITS = 5_000_000
const PORT = 24_000 + (process.pid % 1_000)
const NGINX_PORT = PORT + 1_000
const NAME = 'Inception (2010) {imdb-tt1375666} - 1080p.mp4'

const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-media-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const run = promisify(execFile)

function makeFile(): string {
  const path = join(folder, 'media', NAME)
  mkdirSync(join(folder, 'media'))
  const file = openSync(path, 'w')
  const piece = Buffer.alloc(1024 * 1024)
  for (let at = 0; at < piece.length; at++) piece[at] = (at * 31 + (at >>> 8) * 17) & 0xff
  for (let written = 0; written < FILE_BYTES; written += piece.length) writeSync(file, piece)
  closeSync(file)
  return path
}

async function startMarquee(): Promise<ChildProcess> {
  const env = {
    ...process.env,
    PORT: String(PORT),
    DATA_DIR: join(folder, 'data'),
    MEDIA_DIR: join(folder, 'media'),
    DEMO: '1',
    LOG_LEVEL: 'error',
  }
  const server = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'inherit', 'pipe'] })
  await new Promise<void>((done, fail) => {
    server.once('exit', () => fail(new Error('the server did not start')))
    server.stderr?.on('data', (part) => String(part).includes('is at') && done())
  })
  return server
}

/** Signs in as the first administrator and asks where the film plays. */
async function signedAddress(): Promise<string> {
  const base = `http://127.0.0.1:${PORT}`
  const note = readFileSync(join(folder, 'data/first-sign-in.txt'), 'utf8')
  const email = /E-mail: (.*)/.exec(note)?.[1]
  const password = /Password: (.*)/.exec(note)?.[1]
  const json = { 'Content-Type': 'application/json' }
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  })
  const headers = { Authorization: `Bearer ${(await login.json()).access_token}` }
  const profiles = (await (await fetch(`${base}/api/profile`, { headers })).json()).results
  const profile = profiles.find((one: { main: boolean }) => one.main)
  const place = `${base}/proxy/torrent-streamer/stream/movie/tt1375666`
  const found = await fetch(place, { headers: { ...headers, 'X-Profile-Id': profile.profile_id } })
  const { sources } = await found.json()
  if (sources?.[0]?.size !== FILE_BYTES)
    throw new Error(`the lookup did not find the file: ${JSON.stringify(sources)}`)
  return base + sources[0].url
}

function startNginx(): ChildProcess | null {
  if (spawnSync('nginx', ['-v']).error) return null
  // Its worker would else be another user, who may not read the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')
  writeFileSync(
    config,
    `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr error;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; ${temporary}
       server { listen 127.0.0.1:${NGINX_PORT}; root ${folder}/media; } }`,
  )
  return spawn('nginx', ['-p', folder, '-c', config], { stdio: ['ignore', 'inherit', 'inherit'] })
}

async function read<T>(...words: string[]): Promise<T> {
  const { stdout } = await run(process.execPath, ['bench/media/read.ts', ...words], { encoding: 'utf8' })
  return JSON.parse(stdout)
}

interface Fast {
  status: string
  bytes: number
  megabytesPerSecond: number
}
async function once(url: string): Promise<number> {
  const { status, bytes, megabytesPerSecond } = await read<Fast>('fast', url)
  if (status !== '200' || bytes < FILE_BYTES) throw new Error(`${status}, ${bytes} bytes`)
  return megabytesPerSecond
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const list = (values: number[]) => values.map((one) => Math.round(one)).join(', ')

async function main(): Promise<void> {
  const load = readFileSync('/proc/loadavg', 'utf8').split(' ')[0]
  say(
    `machine: ${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, load before ${load}`,
  )
  makeFile()
  const marquee = await startMarquee()
  const nginx = startNginx()
  try {
    const url = await signedAddress()
    const rival = `http://127.0.0.1:${NGINX_PORT}/${encodeURIComponent(NAME)}`
    if (nginx) await new Promise((done) => setTimeout(done, 500))
    await once(url)
    const ours: number[] = []
    const theirs: number[] = []
    for (let at = 0; at < RUNS; at++) {
      ours.push(await once(url))
      if (nginx) theirs.push(await once(rival))
    }
    say(`one stream of ${FILE_BYTES / 2 ** 20} MiB: ${Math.round(median(ours))} MB/s (${list(ours)})`)
    if (nginx) {
      say(`nginx, the same file and reader: ${Math.round(median(theirs))} MB/s (${list(theirs)})`)
      say(`ratio: ${(median(ours) / median(theirs)).toFixed(2)}`)
    } else say('nginx is not on the PATH: nothing to compare with in this run')
    const held = await read<Record<string, number>>(
      'viewers',
      url,
      String(VIEWERS),
      String(SECONDS),
      String(BITS),
      String(FILE_BYTES),
    )
    say(`${VIEWERS} viewers at ${BITS / 1e6} Mbit/s for ${SECONDS} s: ${JSON.stringify(held)}`)
    const memory = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${marquee.pid}/status`, 'utf8'))?.[1]
    say(`most memory of the server: ${Math.round(Number(memory) / 1024)} MiB`)
  } finally {
    marquee.kill()
    nginx?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
process.exit(0)
