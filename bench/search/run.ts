/**
 * Search quality on the published query sets, everything in one index, through the public call only.
 * `node bench/search/run.ts [--half=dev|held] [--misses=kind] [--engine=ours|fts5|trgm] [--every=n]`: queries are split in two by a hash of their id; weights may
 * be looked at on `dev` only. A hit is a target, or another document that bears the very same name.
 */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { indexSchema, rebuildIndex, search } from '../../server/search/engine.ts'
import { splitWords } from '../../server/search/tokens.ts'
import type { SearchDoc } from '../../server/search/types.ts'
import { type Asker, plainFts5, trigrams } from './baselines.ts'
import { catalogue, derivedQueries, hasData, nameQueries, type Query } from './corpora.ts'

type Tally = { n: number; strict: number; first: number; ten: number; mrr: number }
type Half = 'dev' | 'held'
const half = (qid: string): Half =>
  (createHash('md5').update(qid).digest()[0] ?? 0) % 2 === 0 ? 'dev' : 'held'
const option = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]

const same = (text: string) => splitWords(text).words.join(' ') || text

function groupOf({ corpus, kind }: Query): string {
  return `${corpus}/${kind.startsWith('alias_region') ? 'alias_region' : kind.startsWith('form') || kind.startsWith('ar_') ? kind.split(/[:]/)[0] : kind}`
}

async function measure(ask: Asker, queries: Query[], ids: Map<string, string>, docs: Map<string, SearchDoc>) {
  const table = new Map<string, Tally>()
  const misses = option('misses')
  const times: number[] = []
  for (const query of queries) {
    const started = performance.now()
    const hits = await ask(query.query)
    times.push(performance.now() - started)
    const targets = new Set(query.targets.map((id) => ids.get(`${query.corpus}:${id}`)))
    const title = same(query.title)
    const equal = (id: string) => docs.get(id)?.names.some((name) => same(name.text) === title) ?? false
    const at = hits.findIndex((id) => targets.has(id) || equal(id))
    const key = groupOf(query)
    const tally = table.get(key) ?? { n: 0, strict: 0, first: 0, ten: 0, mrr: 0 }
    table.set(key, tally)
    tally.n += 1
    if (targets.has(hits[0])) tally.strict += 1
    if (at === 0) tally.first += 1
    if (at >= 0) {
      tally.ten += 1
      tally.mrr += 1 / (at + 1)
    }
    if (misses && key.includes(misses) && at !== 0) {
      const shown = hits.slice(0, 3).map((id) => docs.get(id)?.names[0]?.text)
      console.log(`${key}\t${query.query}\t=> ${query.title}\tat ${at}\t${shown.join(' | ')}`)
    }
  }
  times.sort((a, b) => a - b)
  const quantile = (q: number) => times[Math.floor(times.length * q)]?.toFixed(1)
  console.log(
    `ms per query: median ${quantile(0.5)}, p95 ${quantile(0.95)}, p99 ${quantile(0.99)}, max ${times.at(-1)?.toFixed(1)}`,
  )
  return table
}

function print(title: string, table: Map<string, Tally>): void {
  console.log(`\n${title}\n${'set'.padEnd(34)}     n  s@1 strict   s@1  r@10   MRR`)
  for (const [key, t] of [...table].sort()) {
    const f = (x: number) => (x / t.n).toFixed(3)
    console.log(
      `${key.padEnd(34)} ${String(t.n).padStart(5)}  ${f(t.strict)}      ${f(t.first)} ${f(t.ten)} ${f(t.mrr)}`,
    )
  }
}

async function engine(docs: SearchDoc[]): Promise<Asker> {
  const db = new DatabaseSync(option('db') ?? ':memory:')
  db.exec('PRAGMA cache_size = -64000')
  for (const statement of indexSchema('sqlite')) db.exec(statement)
  await rebuildIndex(db, docs)
  return async (q) =>
    (await search(db, { q, limit: 10, type: 'all', scope: { kids: false } })).hits.map((hit) => hit.media_id)
}

async function main() {
  if (!hasData) {
    console.log('the published data sets are not here (MARQUEE_SHARED): nothing measured')
    return
  }
  const { docs, ids } = catalogue()
  const started = performance.now()
  const which = option('engine') ?? 'ours'
  const ask = await (which === 'fts5' ? plainFts5(docs) : which === 'trgm' ? trigrams(docs) : engine(docs))
  console.log(
    `${which}: ${docs.length} documents indexed in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  const byId = new Map(docs.map((doc) => [doc.media_id, doc]))
  const every = Number(option('every') ?? 1)
  const queries = [...derivedQueries(), ...nameQueries()].filter((_, i) => i % every === 0)
  const wanted = option('half')
  const kind = option('misses')
  for (const part of ['dev', 'held'] as const) {
    if (wanted && wanted !== part) continue
    const chosen = queries.filter((q) => half(q.qid) === part && (!kind || groupOf(q).includes(kind)))
    print(
      part === 'dev' ? 'Half looked at while building' : 'Held-out half',
      await measure(ask, chosen, ids, byId),
    )
  }
}

await main()
