/**
 * Measures search quality on the published query sets, with all documents in one index, through the public search
 * function: `node bench/search/run.ts [--half=dev|held] [--misses=kind] [--engine=ours|fts5|trgm] [--every=n]`. A hash
 * of the query id splits the queries into two halves; search weights may be tuned on `dev` only. A result is correct if
 * it is a target document, or another document with the same name.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { createSearchTables, rebuildSearchIndex, searchIndex } from '../../server/search/engine.ts'
import { splitWords } from '../../server/search/tokens.ts'
import type { SearchDoc } from '../../server/search/types.ts'
import { readOption } from '../options.ts'
import { getQuantile } from '../statistics.ts'
import { createFts5Search, createTrigramSearch, type SearchFunction } from './baselines.ts'
import { buildSearchCatalogue } from './corpora.ts'
import { hasSearchData } from './data-files.ts'
import { type BenchQuery, readDerivedQueries, readNameQueries } from './query-sets.ts'

type RankTally = {
  queryCount: number
  /** Number of queries whose first result is a target document. */
  targetFirstCount: number
  /** Number of queries whose first result is a target document or another document with the same name. */
  sameNameFirstCount: number
  topTenCount: number
  reciprocalRankSum: number
}
type QueryHalf = 'dev' | 'held'
const getQueryHalf = (queryId: string): QueryHalf =>
  (createHash('md5').update(queryId).digest()[0] ?? 0) % 2 === 0 ? 'dev' : 'held'

const normaliseName = (text: string) => splitWords(text).words.join(' ') || text

function getQueryGroup({ corpus, kind }: BenchQuery): string {
  return `${corpus}/${kind.startsWith('alias_region') ? 'alias_region' : kind.startsWith('form') || kind.startsWith('ar_') ? kind.split(/[:]/)[0] : kind}`
}

async function measureQueries(
  searchFor: SearchFunction,
  queries: BenchQuery[],
  mediaIdsByCorpusId: Map<string, string>,
  docsById: Map<string, SearchDoc>,
) {
  const talliesByGroup = new Map<string, RankTally>()
  const reportedMissGroup = readOption('misses')
  const durationsMs: number[] = []
  for (const query of queries) {
    const startMs = performance.now()
    const hitIds = await searchFor(query.query)
    durationsMs.push(performance.now() - startMs)
    const targetIds = new Set(query.targets.map((id) => mediaIdsByCorpusId.get(`${query.corpus}:${id}`)))
    const normalisedTitle = normaliseName(query.title)
    const hasSameName = (id: string) =>
      docsById.get(id)?.names.some((name) => normaliseName(name.text) === normalisedTitle) ?? false
    const rank = hitIds.findIndex((id) => targetIds.has(id) || hasSameName(id))
    const groupName = getQueryGroup(query)
    const groupTally = talliesByGroup.get(groupName) ?? {
      queryCount: 0,
      targetFirstCount: 0,
      sameNameFirstCount: 0,
      topTenCount: 0,
      reciprocalRankSum: 0,
    }
    talliesByGroup.set(groupName, groupTally)
    groupTally.queryCount += 1
    if (targetIds.has(hitIds[0])) groupTally.targetFirstCount += 1
    if (rank === 0) groupTally.sameNameFirstCount += 1
    if (rank >= 0) {
      groupTally.topTenCount += 1
      groupTally.reciprocalRankSum += 1 / (rank + 1)
    }
    if (reportedMissGroup && groupName.includes(reportedMissGroup) && rank !== 0) {
      const topNames = hitIds.slice(0, 3).map((id) => docsById.get(id)?.names[0]?.text)
      console.log(`${groupName}\t${query.query}\t=> ${query.title}\tat ${rank}\t${topNames.join(' | ')}`)
    }
  }
  const formatQuantile = (fraction: number) => getQuantile(durationsMs, fraction).toFixed(1)
  console.log(
    `ms per query: median ${formatQuantile(0.5)}, p95 ${formatQuantile(0.95)}, p99 ${formatQuantile(0.99)}, max ${Math.max(...durationsMs).toFixed(1)}`,
  )
  return talliesByGroup
}

function printTallies(title: string, talliesByGroup: Map<string, RankTally>): void {
  console.log(`\n${title}\n${'set'.padEnd(34)}     n  s@1 strict   s@1  r@10   MRR`)
  for (const [groupName, tally] of [...talliesByGroup].sort()) {
    const formatMean = (sum: number) => (sum / tally.queryCount).toFixed(3)
    console.log(
      `${groupName.padEnd(34)} ${String(tally.queryCount).padStart(5)}  ${formatMean(tally.targetFirstCount)}      ${formatMean(tally.sameNameFirstCount)} ${formatMean(tally.topTenCount)} ${formatMean(tally.reciprocalRankSum)}`,
    )
  }
}

async function createEngineSearch(docs: SearchDoc[]): Promise<SearchFunction> {
  const db = new DatabaseSync(readOption('db') ?? ':memory:')
  db.exec('PRAGMA cache_size = -64000')
  createSearchTables(db)
  await rebuildSearchIndex(db, docs)
  return async (query) =>
    (await searchIndex(db, { q: query, limit: 10, type: 'all', scope: { kids: false } })).hits.map(
      (hit) => hit.media_id,
    )
}

async function main() {
  if (!hasSearchData) {
    console.log('shared data sets not found (MARQUEE_SHARED): nothing was measured')
    return
  }
  const { docs, mediaIdsByCorpusId } = buildSearchCatalogue()
  const startMs = performance.now()
  const engineName = readOption('engine') ?? 'ours'
  const searchFor = await (engineName === 'fts5'
    ? createFts5Search(docs)
    : engineName === 'trgm'
      ? createTrigramSearch(docs)
      : createEngineSearch(docs))
  console.log(
    `${engineName}: ${docs.length} documents indexed in ${((performance.now() - startMs) / 1000).toFixed(1)} s`,
  )
  const docsById = new Map(docs.map((doc) => [doc.media_id, doc]))
  const samplingInterval = Number(readOption('every') ?? 1)
  const queries = [...readDerivedQueries(), ...readNameQueries()].filter(
    (_, index) => index % samplingInterval === 0,
  )
  const selectedHalf = readOption('half')
  const reportedMissGroup = readOption('misses')
  for (const queryHalf of ['dev', 'held'] as const) {
    if (selectedHalf && selectedHalf !== queryHalf) continue
    const selectedQueries = queries.filter(
      (query) =>
        getQueryHalf(query.queryId) === queryHalf &&
        (!reportedMissGroup || getQueryGroup(query).includes(reportedMissGroup)),
    )
    printTallies(
      queryHalf === 'dev' ? 'Development half' : 'Held-out half',
      await measureQueries(searchFor, selectedQueries, mediaIdsByCorpusId, docsById),
    )
  }
}

await main()
