/**
 * Search time, memory and size at growing catalogues: `node bench/search/scale.ts [--titles=10000,100000,1000000]`.
 * Every keystroke of a sample of names is timed, and misspelt whole names; the index is a file, as in production.
 */
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { indexSchema, rebuildIndex, search } from '../../server/search/engine.ts'
import type { SearchDoc } from '../../server/search/types.ts'
import { generateCatalogue, personName, randomFrom } from '../generate/catalogue.ts'

const option = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Titles, then six people for every ten titles. */
export function* docsOf(titles: number, seed: number): Generator<SearchDoc> {
  for (const title of generateCatalogue({ titles, seed })) {
    yield {
      doc_id: title.id,
      kind: title.type,
      media_id: String(title.id),
      kids: title.safe_for_kids,
      visible: true,
      popularity: title.popularity,
      names: title.titles,
      year: Number(title.release_date.slice(0, 4)),
      people: title.cast.slice(0, 5).map(personName),
    }
  }
  for (let id = 1; id <= titles * 0.6; id += 1) {
    const names: SearchDoc['names'] = [{ lang: '', text: personName(id), role: 'main' }]
    yield {
      doc_id: titles + id,
      kind: 'actor',
      media_id: `p${id}`,
      kids: false,
      visible: true,
      popularity: 40_000 / id ** 0.75,
      names,
    }
  }
}

/** One edit inside the name: a letter replaced, dropped, doubled or swapped with the next. */
function misspelt(name: string, random: () => number): string {
  const letters = [...name.toLowerCase()]
  const at = 1 + Math.floor(random() * (letters.length - 2))
  const [one = '', two = ''] = [letters[at], letters[at + 1]]
  const edit = Math.floor(random() * 4)
  if (edit === 0) letters[at] = String.fromCharCode(97 + Math.floor(random() * 26))
  else if (edit === 1) letters.splice(at, 1)
  else if (edit === 2) letters.splice(at, 0, one)
  else letters.splice(at, 2, two, one)
  return letters.join('')
}

const quantile = (sorted: number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** Wall time, and processor time of the same calls: what a machine with nothing else to do would take. */
type Time = { wall: number; cpu: number }
function report(label: string, times: Time[]): void {
  const of = (key: keyof Time) => {
    const sorted = times.map((time) => time[key]).sort((a, b) => a - b)
    const [half, most, nearlyAll] = [0.5, 0.95, 0.99].map((q) => quantile(sorted, q).toFixed(1))
    return `median ${half} p95 ${most} p99 ${nearlyAll} max ${sorted.at(-1)?.toFixed(0)}`
  }
  console.log(
    `  ${label.padEnd(25)} ${String(times.length).padStart(5)} queries, ms: ${of('wall')} | processor: ${of('cpu')}`,
  )
}

async function timed(db: DatabaseSync, q: string, kids: boolean): Promise<Time> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await search(db, { q, limit: 30, type: 'all', scope: { kids } })
  const used = process.cpuUsage(cpu)
  return { wall: performance.now() - started, cpu: (used.user + used.system) / 1000 }
}

async function measure(titles: number, seed: number): Promise<void> {
  const file = option('db') ?? join(tmpdir(), `search-scale-${process.pid}.db`)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000')
  for (const statement of indexSchema('sqlite')) db.exec(statement)
  const started = performance.now()
  const kept = option('db') && db.prepare('SELECT 1 FROM search_meta').get()
  const count = kept ? 0 : await rebuildIndex(db, docsOf(titles, seed))
  const seconds = (performance.now() - started) / 1000
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  console.log(
    `${titles} titles: ${count} documents in ${seconds.toFixed(0)} s, file ${megabytes(statSync(file).size)} MB, rss ${megabytes(process.memoryUsage().rss)} MB`,
  )
  const random = randomFrom(seed + 1)
  const names: string[] = []
  for (const doc of docsOf(Math.min(titles, 20_000), seed)) {
    const name = doc.names[Math.floor(random() * doc.names.length)]?.text ?? ''
    if (random() < 0.006 && name.length > 5) names.push(name)
  }
  const first = performance.now()
  await search(db, { q: 'zzqqxx unheard', limit: 30, type: 'all', scope: { kids: false } })
  console.log(`  first misspelt search loads the words: ${(performance.now() - first).toFixed(0)} ms`)
  const keys: Time[] = []
  const kids: Time[] = []
  const typos: Time[] = []
  const whole: Time[] = []
  for (const name of names) {
    for (let end = 1; end <= name.length; end += 1) keys.push(await timed(db, name.slice(0, end), false))
    for (let end = 1; end <= name.length; end += 3) kids.push(await timed(db, name.slice(0, end), true))
    typos.push(await timed(db, misspelt(name, random), false))
    whole.push(await timed(db, name, false))
  }
  report('every keystroke', keys)
  report('keystrokes, kids profile', kids)
  report('whole names', whole)
  report('whole names with a typo', typos)
  console.log(`  rss ${megabytes(process.memoryUsage().rss)} MB`)
  db.close()
  if (!option('db')) for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true })
}

for (const titles of (option('titles') ?? '10000,100000,1000000').split(',')) await measure(Number(titles), 7)
