/**
 * Measures search latency, memory and index size at growing catalogue sizes: `node bench/search/scale.ts
 * [--titles=10000,100000,1000000]`. Measures every keystroke of a sample of names, whole names and misspelt names. The
 * index is a file, as in production.
 */
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { rebuildSearchIndex, searchIndex, searchIndexSchema } from '../../server/search/engine.ts'
import type { SearchDoc } from '../../server/search/types.ts'
import { NETWORKS } from '../../src/lib/rules/title-options.ts'
import { createMulberry32, generateCatalogue, generatePersonName } from '../generate/catalogue.ts'
import { readOption } from '../options.ts'
import { startCpuTimer } from '../processor-time.ts'
import { getQuantile } from '../statistics.ts'

const toMegabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Yields the titles, then six people for every ten titles. */
export function* generateSearchDocs(titles: number, seed: number): Generator<SearchDoc> {
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
      people: title.cast.slice(0, 5).map(generatePersonName),
      crew: title.cast.slice(-2).map(generatePersonName),
      keywords: title.overview
        .split(/[ ,:.]+/)
        .filter((word) => word.length > 4)
        .slice(0, 8),
      topics: [title.overview, ...title.cast.slice(0, 6).map((id) => generatePersonName(id * 31))],
      facets: [
        ...title.genre_ids.map((id) => ({ kind: 'genre' as const, value: String(id) })),
        { kind: 'language', value: title.original_language },
        ...(title.type === 'tv' ? [{ kind: 'network' as const, value: NETWORKS[title.id % 9] ?? '' }] : []),
      ],
    }
  }
  for (let id = 1; id <= titles * 0.6; id += 1) {
    const names: SearchDoc['names'] = [{ lang: '', text: generatePersonName(id), role: 'main' }]
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

/** Returns the name with one edit: a letter is replaced, dropped, doubled or swapped with the next letter. */
function misspellName(name: string, random: () => number): string {
  const letters = [...name.toLowerCase()]
  const index = 1 + Math.floor(random() * (letters.length - 2))
  const [letter = '', nextLetter = ''] = [letters[index], letters[index + 1]]
  const edit = Math.floor(random() * 4)
  if (edit === 0) letters[index] = String.fromCharCode(97 + Math.floor(random() * 26))
  else if (edit === 1) letters.splice(index, 1)
  else if (edit === 2) letters.splice(index, 0, letter)
  else letters.splice(index, 2, nextLetter, letter)
  return letters.join('')
}

/** Wall time and CPU time of a search. The CPU time does not depend on other load on the machine. */
type SearchDuration = { wallMs: number; cpuMs: number }
function printReport(label: string, durations: SearchDuration[]): void {
  const formatQuantiles = (key: keyof SearchDuration) => {
    const values = durations.map((duration) => duration[key])
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => getQuantile(values, q).toFixed(1))
    return `median ${p50} p95 ${p95} p99 ${p99} max ${Math.max(...values).toFixed(0)}`
  }
  console.log(
    `  ${label.padEnd(25)} ${String(durations.length).padStart(5)} queries, ms: ${formatQuantiles('wallMs')} | CPU: ${formatQuantiles('cpuMs')}`,
  )
}

async function measureSearch(db: DatabaseSync, q: string, isKidsProfile: boolean): Promise<SearchDuration> {
  const [startMs, readCpuMs] = [performance.now(), startCpuTimer()]
  await searchIndex(db, { q, limit: 30, type: 'all', scope: { kids: isKidsProfile } })
  return { wallMs: performance.now() - startMs, cpuMs: readCpuMs() }
}

async function measureSize(titles: number, seed: number): Promise<void> {
  const file = readOption('db') ?? join(tmpdir(), `search-scale-${process.pid}.db`)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000')
  for (const statement of searchIndexSchema('sqlite')) db.exec(statement)
  const startMs = performance.now()
  const hasExistingIndex = readOption('db') && db.prepare('SELECT 1 FROM search_meta').get()
  const count = hasExistingIndex ? 0 : await rebuildSearchIndex(db, generateSearchDocs(titles, seed))
  const seconds = (performance.now() - startMs) / 1000
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  console.log(
    `${titles} titles: ${count} documents in ${seconds.toFixed(0)} s, file ${toMegabytes(statSync(file).size)} MB, rss ${toMegabytes(process.memoryUsage().rss)} MB`,
  )
  const random = createMulberry32(seed + 1)
  const names: string[] = []
  for (const doc of generateSearchDocs(Math.min(titles, 20_000), seed)) {
    const name = doc.names[Math.floor(random() * doc.names.length)]?.text ?? ''
    if (random() < 0.006 && name.length > 5) names.push(name)
  }
  const firstSearchStartMs = performance.now()
  await searchIndex(db, { q: 'zzqqxx unheard', limit: 30, type: 'all', scope: { kids: false } })
  console.log(
    `  first misspelt search, which loads the vocabulary: ${(performance.now() - firstSearchStartMs).toFixed(0)} ms`,
  )
  const keystrokes: SearchDuration[] = []
  const kidsKeystrokes: SearchDuration[] = []
  const misspeltNames: SearchDuration[] = []
  const wholeNames: SearchDuration[] = []
  for (const name of names) {
    for (let prefixLength = 1; prefixLength <= name.length; prefixLength += 1)
      keystrokes.push(await measureSearch(db, name.slice(0, prefixLength), false))
    for (let prefixLength = 1; prefixLength <= name.length; prefixLength += 3)
      kidsKeystrokes.push(await measureSearch(db, name.slice(0, prefixLength), true))
    misspeltNames.push(await measureSearch(db, misspellName(name, random), false))
    wholeNames.push(await measureSearch(db, name, false))
  }
  printReport('every keystroke', keystrokes)
  printReport('keystrokes, kids profile', kidsKeystrokes)
  printReport('whole names', wholeNames)
  printReport('whole names with a typo', misspeltNames)
  const facetKeystrokes: SearchDuration[] = []
  for (const query of ['korean thriller 1999', 'horror', 'french comedy 90s', 'hbo drama', 'netflix crime'])
    for (let prefixLength = 1; prefixLength <= query.length; prefixLength += 1)
      facetKeystrokes.push(await measureSearch(db, query.slice(0, prefixLength), false))
  printReport('keystrokes, facets', facetKeystrokes)
  console.log(`  rss ${toMegabytes(process.memoryUsage().rss)} MB`)
  db.close()
  if (!readOption('db')) for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

for (const titles of (readOption('titles') ?? '10000,100000,1000000').split(','))
  await measureSize(Number(titles), 7)
