/**
 * A history of 200,000 rows coming in and going out, on a file database: `npm run bench:history [-- --rows=200000
 * --titles=20000]`. Says seconds, memory, and the longest time the event loop was held up while others wait.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { importTitles } from '../../server/importers/pipeline.ts'
import { openDeps } from '../../server/main.ts'
import { insertAccount } from '../../server/queries/account.ts'
import type { Read, TitleRecord } from '../../server/queries/title-record.ts'
import { newAccount } from '../../server/services/accounts.ts'
import { type GeneratedTitle, generateCatalogue, randomFrom } from '../generate/catalogue.ts'

const option = (name: string, normal: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? normal)
const ROWS = option('rows', 200_000)
const TITLES = option('titles', 20_000)
const PASSWORD = 'Lumiere1895'
const dataDir = join(tmpdir(), `marquee-bench-history-${process.pid}`)

const { deps } = await openDeps(readConfig({ DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'error' }))
const { database } = deps
const app = createApp(deps)

const episodeName = (season: number, episode: number) => `Part of night ${season * 100 + episode}`

function recordOf(title: GeneratedTitle): TitleRecord {
  return {
    type: title.type,
    tmdb_id: title.id,
    original_title: title.titles.find((one) => one.role === 'original')?.text ?? title.titles[0]?.text ?? '-',
    names: title.titles,
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
    seasons: title.seasons.map((count, i) => ({
      season_number: i + 1,
      episodes: Array.from({ length: count }, (_, at) => ({
        episode_number: at + 1,
        name: episodeName(i + 1, at + 1),
      })),
    })),
  }
}

/** Netflix' own form: the newest first, a tenth of it of titles that the catalogue does not have. */
function historyFile(titles: GeneratedTitle[]): string {
  const random = randomFrom(7)
  const lines = ['Title,Date']
  const start = Date.UTC(2026, 0, 1)
  for (let n = 0; n < ROWS; n += 1) {
    const title = titles[Math.floor(random() ** 2 * titles.length)] as GeneratedTitle
    const name = title.titles[0]?.text ?? ''
    const known = random() < 0.9 ? name : `${name} of nowhere`
    const season = title.seasons.length > 0 ? 1 + Math.floor(random() * title.seasons.length) : 0
    const episode = 1 + Math.floor(random() * (title.seasons[season - 1] ?? 1))
    const text = season === 0 ? known : `${known}: Season ${season}: ${episodeName(season, episode)}`
    const day = new Date(start - n * 1_500_000).toISOString().slice(0, 10).split('-')
    lines.push(`"${text.replaceAll('"', '""')}","${day[2]}/${day[1]}/${day[0]}"`)
  }
  return lines.join('\n')
}

function* reads(titles: GeneratedTitle[]): Generator<Read> {
  for (const title of titles) yield { at: String(title.id), record: recordOf(title) }
}

let token = ''
let signedInAt = 0
async function signIn(): Promise<void> {
  signedInAt = performance.now()
  token = ''
  const body = JSON.stringify({ email: 'a@example.com', password: PASSWORD })
  token = ((await (await ask('POST', '/api/auth/login', body)).json()) as { access_token: string })
    .access_token
}

/** A token lives ten minutes; on a busy machine this takes longer. */
const TOKEN_MS = 300_000

async function ask(method: string, path: string, body?: BodyInit, type = 'application/json') {
  if (token && performance.now() - signedInAt > TOKEN_MS) await signIn()
  const response = await app.request(path, {
    method,
    headers: { ...(token && { Authorization: `Bearer ${token}` }), 'Content-Type': type },
    ...(body !== undefined && { body }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

const say = (text: string) => process.stdout.write(`${text}\n`)
/** Runs a step as the product does: behind, while somebody looks every quarter of a second. */
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  globalThis.gc?.()
  const started = performance.now()
  const used = process.cpuUsage()
  let heap = 0
  let [waited, worked] = [0, 0]
  let [before, cpu] = [performance.now(), process.threadCpuUsage()]
  // What one turn of the event loop took, and how much of that this thread really worked: the rest is a busy machine.
  const watch = setInterval(() => {
    const [now, spent] = [performance.now(), process.threadCpuUsage(cpu)]
    waited = Math.max(waited, now - before)
    worked = Math.max(worked, (spent.user + spent.system) / 1000)
    heap = Math.max(heap, getHeapStatistics().used_heap_size)
    before = performance.now()
    cpu = process.threadCpuUsage()
  }, 1)
  const answer = await work()
  clearInterval(watch)
  const { user, system } = process.cpuUsage(used)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  say(
    [
      name.padEnd(36),
      `${seconds.padStart(6)} s (${((user + system) / 1e6).toFixed(1)} s of processor)`,
      `memory ${megabytes(process.memoryUsage().rss)}, heap ${megabytes(heap)}`,
      `longest turn ${waited.toFixed(0)} ms (${worked.toFixed(0)} ms of work)`,
    ].join('   '),
  )
  return answer
}

type Run = {
  import_id: string
  status: string
  changed: number
  message: string | null
  rows: Record<string, number>
}
async function ended(profile: string, run: Run): Promise<Run> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250))
    const now = (await (await ask('GET', `/api/profile/${profile}/import?limit=1`)).json()) as {
      results: Run[]
    }
    const mine = now.results[0] as Run
    if (mine.import_id !== run.import_id) throw new Error('another import')
    if (mine.status === 'failed') throw new Error(String(mine.message))
    if (!['reading', 'applying', 'undoing'].includes(mine.status)) return mine
  }
}

const bring = async (profile: string, name: string, file: Uint8Array<ArrayBuffer>) => {
  const run = await timed(`${name}: dry run`, async () => {
    const type = 'application/octet-stream'
    const sent = await ask('POST', `/api/profile/${profile}/import?name=${name}`, file, type)
    return ended(profile, (await sent.json()) as Run)
  })
  say(`  ${JSON.stringify(run.rows)}`)
  const path = `/api/profile/${profile}/import/${run.import_id}`
  const applied = await timed(`${name}: applied`, async () =>
    ended(profile, (await (await ask('POST', `${path}/apply`, '{}')).json()) as Run),
  )
  say(`  ${applied.changed} rows written`)
  return { path }
}

await timed('nothing', () => new Promise((resolve) => setTimeout(resolve, 3_000)))
const titles = [...generateCatalogue({ titles: TITLES, seed: 1 })]
await timed(`a catalogue of ${TITLES}`, () => importTitles(deps, reads(titles), { source: 'bench' }))
await insertAccount(
  database.primary,
  await newAccount(deps, { email: 'a@example.com', password: PASSWORD, role: 'admin' }),
)
await signIn()
const profileOf = async (name: string) => {
  const made = await ask('POST', '/api/profile', JSON.stringify({ name }))
  return ((await made.json()) as { profile_id: string }).profile_id
}

const file = new TextEncoder().encode(historyFile(titles)) as Uint8Array<ArrayBuffer>
say(`${ROWS} rows, ${(file.length / 2 ** 20).toFixed(1)} MB`)
const first = await profileOf('First')
await bring(first, 'NetflixViewingHistory.csv', file)
const again = await bring(first, 'NetflixViewingHistory.csv', file)
const changedAgain = (await (await ask('GET', again.path)).json()) as Run
if (changedAgain.changed !== 0) throw new Error('the second run changed rows')
const out = async (profile: string) =>
  new Uint8Array(await (await ask('GET', `/api/profile/${profile}/export`)).arrayBuffer())
const exported = await timed('exported', () => out(first))
say(`  ${(exported.length / 2 ** 20).toFixed(1)} MB`)
const second = await profileOf('Second')
const last = await bring(second, 'marquee-export.json', exported)
if (Buffer.compare(Buffer.from(await out(second)), Buffer.from(exported)) !== 0)
  throw new Error('not the same bytes')
say('  the export of the second profile is the same to the byte')
await timed('taken back', async () =>
  ended(second, (await (await ask('POST', `${last.path}/undo`, '{}')).json()) as Run),
)
say(`  left: ${(await out(second)).length} bytes of export`)
await database.close()
rmSync(dataDir, { recursive: true, force: true })
