/**
 * Import speed against bare loops that only read and split the same files, in the same run, turn by turn:
 * `node bench/import/run.ts [--titles=20000] [--rounds=3] [--min-votes=100]`. Then the event loop of a server that imports.
 */
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { readConfig } from '../../server/config.ts'
import { prepareForBulk } from '../../server/db/bulk.ts'
import type { Deps } from '../../server/deps.ts'
import { IMPORTERS } from '../../server/importers/index.ts'
import { openDeps } from '../../server/main.ts'
import { writeDumps } from './dumps.ts'

const option = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const rounds = Number(option('rounds') ?? 3)
const titles = Number(option('titles') ?? 20_000)
const minVotes = option('min-votes') ?? '100'
const root = process.env['MARQUEE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared')
const shared = [join(root, 'data/imdb_tsv'), join(root, 'imdb_tsv')].find((path) => existsSync(path))
const work = mkdtempSync(join(tmpdir(), 'marquee-import-'))

const dumpsOf = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.tsv.gz'))
const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const per = (rows: number, ms: number) => `${Math.round(rows / ms)} k rows/s`.padStart(13)

/** Processor time too: what the same work costs on a machine that has other things to do. */
type Times = { wall: number[]; cpu: number[] }

/** As one writes it. */
async function readline(folder: string): Promise<number> {
  let columns = 0
  for (const name of dumpsOf(folder)) {
    const input = createReadStream(join(folder, name)).pipe(createGunzip())
    for await (const line of createInterface({ input })) columns += line.split('\t').length
  }
  return columns
}

/** As fast as it gets with the same two steps. */
async function chunks(folder: string): Promise<number> {
  let columns = 0
  for (const name of dumpsOf(folder)) {
    const input = createReadStream(join(folder, name)).pipe(createGunzip({ chunkSize: 128 * 1024 }))
    let rest = ''
    for await (const chunk of input.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) columns += line.split('\t').length
    }
  }
  return columns
}

async function withDeps<T>(name: string, run: (deps: Deps) => Promise<T>): Promise<T> {
  const dataDir = join(work, name)
  const { deps } = await openDeps({ ...readConfig({ DATA_DIR: dataDir }), logLevel: 'error' })
  try {
    return await run(deps)
  } finally {
    await deps.database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function importAs(deps: Deps, folder: string, batchMs: string) {
  const imdb = IMPORTERS['imdb']
  if (!imdb) throw new Error('no importer')
  return imdb.run(deps, { folder, 'min-votes': minVotes, 'batch-ms': batchMs })
}

async function timed<T>(run: () => Promise<T>, into?: Times): Promise<{ ms: number; answer: T }> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const answer = await run()
  const ms = performance.now() - started
  const used = process.cpuUsage(cpu)
  into?.wall.push(ms)
  into?.cpu.push((used.user + used.system) / 1000)
  return { ms, answer }
}

async function compare(label: string, folder: string): Promise<void> {
  const names = [
    'readline and split',
    'fastest loop and split',
    'import, empty database',
    'import, nothing changed',
  ]
  const [bare, fast, first, second] = names.map((): Times => ({ wall: [], cpu: [] }))
  let told = ''
  let lines = 0
  for (let round = 0; round < rounds; round++) {
    await timed(() => readline(folder), bare)
    await timed(() => chunks(folder), fast)
    await withDeps(`round-${round}`, async (deps) => {
      prepareForBulk(deps.database)
      const { answer } = await timed(() => importAs(deps, folder, '40'), first)
      await timed(() => importAs(deps, folder, '40'), second)
      lines = answer.lines ?? 0
      told = `${answer.added} titles written`
    })
  }
  console.log(`${label}: ${lines} rows, ${told} (at least ${minVotes} votes), median of ${rounds}`)
  for (const [at, times] of [bare, fast, first, second].entries()) {
    const share = (of: Times | undefined, key: keyof Times) =>
      (median(of?.[key] ?? []) / median(times?.[key] ?? [])).toFixed(2)
    const shares = `of readline ${share(bare, 'wall')} (processor ${share(bare, 'cpu')}), of the fastest loop ${share(fast, 'wall')} (${share(fast, 'cpu')})`
    console.log(`  ${(names[at] ?? '').padEnd(24)} ${per(lines, median(times?.wall ?? []))}   ${shares}`)
  }
}

type Delays = ReturnType<typeof monitorEventLoopDelay>

/** Between ticks of a millisecond: how late they come, and how long this thread computed without letting anybody in, in ms. */
function watchLoop(): () => { late: Delays; busy: number[] } {
  const late = monitorEventLoopDelay({ resolution: 1 })
  const busy: number[] = []
  let before = process.threadCpuUsage()
  const ticks = setInterval(() => {
    const now = process.threadCpuUsage()
    busy.push((now.user + now.system - before.user - before.system) / 1000)
    before = now
  }, 1)
  late.enable()
  return () => {
    clearInterval(ticks)
    late.disable()
    return { late, busy: busy.sort((a, b) => a - b) }
  }
}

/** A server's settings: short batches, every commit on disk. */
async function responsive(folder: string): Promise<void> {
  await withDeps('server', async (deps) => {
    const watched = watchLoop()
    const { ms, answer } = await timed(() => importAs(deps, folder, '12'))
    const { late, busy } = watched()
    const resting = watchLoop()
    await setTimeout(Math.min(ms, 10_000))
    const { late: idle } = resting()
    const of = (histogram: Delays) =>
      `${(histogram.percentile(99) / 1e6).toFixed(1)} ms p99, ${(histogram.max / 1e6).toFixed(1)} ms at most`
    const at = (share: number) => (busy[Math.floor((busy.length - 1) * share)] ?? 0).toFixed(1)
    console.log(`inside a server: ${answer.added} titles in ${(ms / 1000).toFixed(1)} s`)
    console.log(`  event loop late by ${of(late)}; while nothing runs ${of(idle)}`)
    console.log(`  of that, its own computing: ${at(0.99)} ms p99, ${at(1)} ms at most`)
  })
}

try {
  if (shared) await compare('published sample (films of 2017)', shared)
  else console.log('no shared data beside the project: the published sample is left out')
  const folder = join(work, 'dumps')
  const rows = await writeDumps(folder, { titles, seed: 7 })
  await compare(`generated, ${rows} rows`, folder)
  await responsive(folder)
  console.log(`largest memory of this process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
