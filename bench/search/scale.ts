/**
 * Measures search latency, memory and index size at growing catalogue sizes: `node bench/search/scale.ts
 * [--titles=10000,100000,1000000]`. Measures every keystroke of a sample of names, whole names and misspelt names. The
 * index is a file, as in production.
 */
import { rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSearchTables, rebuildSearchIndex, searchIndex } from '../../server/search/engine.ts'
import type { SearchDoc } from '../../server/search/types.ts'
import { NETWORKS } from '../../src/lib/rules/title-options.ts'
import { createMulberry32, generateCatalogue, generatePersonName } from '../generate/catalogue.ts'
import { readOption } from '../options.ts'
import { startCpuTimer } from '../processor-time.ts'
import { getQuantile } from '../statistics.ts'

const toMebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Yields the titles, then six people for every ten titles. */
export function* generateSearchDocs(titleCount: number, seed: number): Generator<SearchDoc> {
  for (const title of generateCatalogue({ titleCount, seed })) {
    yield {
      doc_id: title.id,
      kind: title.type,
      media_id: String(title.id),
      kids: title.safe_for_kids,
      visible: true,
      popularity: title.popularity,
      names: title.names,
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
  for (let personId = 1; personId <= titleCount * 0.6; personId += 1) {
    const personNames: SearchDoc['names'] = [{ lang: '', text: generatePersonName(personId), role: 'main' }]
    yield {
      doc_id: titleCount + personId,
      kind: 'actor',
      media_id: `p${personId}`,
      kids: false,
      visible: true,
      popularity: 40_000 / personId ** 0.75,
      names: personNames,
    }
  }
}

/** Returns the name with one edit: a letter is replaced, dropped, doubled or swapped with the next letter. */
function misspellName(name: string, random: () => number): string {
  const letters = [...name.toLowerCase()]
  const letterIndex = 1 + Math.floor(random() * (letters.length - 2))
  const [letter = '', nextLetter = ''] = [letters[letterIndex], letters[letterIndex + 1]]
  const editKind = Math.floor(random() * 4)
  if (editKind === 0) letters[letterIndex] = String.fromCharCode(97 + Math.floor(random() * 26))
  else if (editKind === 1) letters.splice(letterIndex, 1)
  else if (editKind === 2) letters.splice(letterIndex, 0, letter)
  else letters.splice(letterIndex, 2, nextLetter, letter)
  return letters.join('')
}

/** Wall time and CPU time of a search. Other load on the machine changes the CPU time less than the wall time. */
type SearchDuration = { wallMs: number; cpuMs: number }
function printReport(label: string, durations: SearchDuration[]): void {
  const formatQuantiles = (durationKind: keyof SearchDuration) => {
    const durationsMs = durations.map((duration) => duration[durationKind])
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((fraction) => getQuantile(durationsMs, fraction).toFixed(1))
    return `median ${p50} p95 ${p95} p99 ${p99} max ${Math.max(...durationsMs).toFixed(0)}`
  }
  console.log(
    `  ${label.padEnd(25)} ${String(durations.length).padStart(5)} queries, ms: ${formatQuantiles('wallMs')} | CPU: ${formatQuantiles('cpuMs')}`,
  )
}

async function measureSearch(
  db: DatabaseSync,
  query: string,
  isKidsProfile: boolean,
): Promise<SearchDuration> {
  const [startMs, readCpuMs] = [performance.now(), startCpuTimer()]
  await searchIndex(db, { q: query, limit: 30, type: 'all', scope: { kids: isKidsProfile } })
  return { wallMs: performance.now() - startMs, cpuMs: readCpuMs() }
}

async function measureSearchAtSize(titleCount: number, seed: number): Promise<void> {
  const databaseFile = readOption('db') ?? join(tmpdir(), `search-scale-${process.pid}.db`)
  const db = new DatabaseSync(databaseFile)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000')
  createSearchTables(db)
  const startMs = performance.now()
  const hasExistingIndex = readOption('db') && db.prepare('SELECT 1 FROM search_meta').get()
  const indexedDocumentCount = hasExistingIndex
    ? 0
    : await rebuildSearchIndex(db, generateSearchDocs(titleCount, seed))
  const seconds = (performance.now() - startMs) / 1000
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  console.log(
    `${titleCount} titles: ${indexedDocumentCount} documents in ${seconds.toFixed(0)} s, file ${toMebibytes(statSync(databaseFile).size)} MB, rss ${toMebibytes(process.memoryUsage().rss)} MB`,
  )
  const nextRandom = createMulberry32(seed + 1)
  const sampledNames: string[] = []
  for (const doc of generateSearchDocs(Math.min(titleCount, 20_000), seed)) {
    const sampledName = doc.names[Math.floor(nextRandom() * doc.names.length)]?.text ?? ''
    if (nextRandom() < 0.006 && sampledName.length > 5) sampledNames.push(sampledName)
  }
  const firstSearchStartMs = performance.now()
  await searchIndex(db, { q: 'zzqqxx unheard', limit: 30, type: 'all', scope: { kids: false } })
  console.log(
    `  first misspelt search, which loads the vocabulary: ${(performance.now() - firstSearchStartMs).toFixed(0)} ms`,
  )
  const keystrokeDurations: SearchDuration[] = []
  const kidsKeystrokeDurations: SearchDuration[] = []
  const misspeltNameDurations: SearchDuration[] = []
  const wholeNameDurations: SearchDuration[] = []
  for (const name of sampledNames) {
    for (let prefixLength = 1; prefixLength <= name.length; prefixLength += 1)
      keystrokeDurations.push(await measureSearch(db, name.slice(0, prefixLength), false))
    for (let prefixLength = 1; prefixLength <= name.length; prefixLength += 3)
      kidsKeystrokeDurations.push(await measureSearch(db, name.slice(0, prefixLength), true))
    misspeltNameDurations.push(await measureSearch(db, misspellName(name, nextRandom), false))
    wholeNameDurations.push(await measureSearch(db, name, false))
  }
  printReport('every keystroke', keystrokeDurations)
  printReport('keystrokes, kids profile', kidsKeystrokeDurations)
  printReport('whole names', wholeNameDurations)
  printReport('whole names with a typo', misspeltNameDurations)
  const facetKeystrokeDurations: SearchDuration[] = []
  for (const query of ['korean thriller 1999', 'horror', 'french comedy 90s', 'hbo drama', 'netflix crime'])
    for (let prefixLength = 1; prefixLength <= query.length; prefixLength += 1)
      facetKeystrokeDurations.push(await measureSearch(db, query.slice(0, prefixLength), false))
  printReport('keystrokes, facets', facetKeystrokeDurations)
  console.log(`  rss ${toMebibytes(process.memoryUsage().rss)} MB`)
  db.close()
  if (!readOption('db'))
    for (const suffix of ['', '-wal', '-shm']) rmSync(databaseFile + suffix, { force: true })
}

for (const titleCount of (readOption('titles') ?? '10000,100000,1000000').split(','))
  await measureSearchAtSize(Number(titleCount), 7)
